import { PageHead } from '../../components/PageHead.tsx';

export function UsersPage() {
  return <PageHead title="Users" />;
}

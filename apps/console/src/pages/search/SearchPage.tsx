import { PageHead } from '../../components/PageHead.tsx';

export function SearchPage() {
  return <PageHead title="Search" />;
}

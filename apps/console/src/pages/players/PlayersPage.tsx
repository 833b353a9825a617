import { PageHead } from '../../components/PageHead.tsx';

export function PlayersPage() {
  return <PageHead title="Players" />;
}

import { PageHead } from '../../components/PageHead.tsx';

export function RoundsPage() {
  return <PageHead title="Rounds" />;
}

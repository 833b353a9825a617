import { PageHead } from '../../components/PageHead.tsx';

export function FreeRoundsPage() {
  return <PageHead title="Free rounds" />;
}

import { PageHead } from '../../components/PageHead.tsx';

export function GamePage() {
  return <PageHead title="Game" />;
}

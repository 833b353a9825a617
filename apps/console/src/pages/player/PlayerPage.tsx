import { PageHead } from '../../components/PageHead.tsx';

export function PlayerPage() {
  return <PageHead title="Player" />;
}

import { PageHead } from '../../components/PageHead.tsx';

export function GamesPage() {
  return <PageHead title="Games" />;
}

import { PageHead } from '../../components/PageHead.tsx';
import { RoundList } from './RoundList.tsx';

export function RoundsPage() {
  return (
    <>
      <PageHead title="Rounds" />
      <RoundList />
    </>
  );
}

import { PageHead } from '../../components/PageHead.tsx';

export function RoundPage() {
  return <PageHead title="Round" />;
}

import { PageHead } from '../../components/PageHead.tsx';

export function OverviewPage() {
  return <PageHead title="Overview" />;
}

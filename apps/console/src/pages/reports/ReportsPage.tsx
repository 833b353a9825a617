import { PageHead } from '../../components/PageHead.tsx';

export function ReportsPage() {
  return <PageHead title="Reports" />;
}

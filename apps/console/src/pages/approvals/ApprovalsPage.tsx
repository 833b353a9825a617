import { PageHead } from '../../components/PageHead.tsx';

export function ApprovalsPage() {
  return <PageHead title="Approvals" />;
}

import { PageHead } from '../../components/PageHead.tsx';

export function OperatorPage() {
  return <PageHead title="Operator" />;
}

import { PageHead } from '../../components/PageHead.tsx';

export function OperatorsPage() {
  return <PageHead title="Operators" />;
}

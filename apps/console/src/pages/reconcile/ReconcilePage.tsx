import { PageHead } from '../../components/PageHead.tsx';

export function ReconcilePage() {
  return <PageHead title="Reconcile" />;
}

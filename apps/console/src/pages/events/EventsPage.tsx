import { PageHead } from '../../components/PageHead.tsx';

export function EventsPage() {
  return <PageHead title="Significant events" />;
}

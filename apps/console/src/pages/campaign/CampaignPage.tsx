import { PageHead } from '../../components/PageHead.tsx';

export function CampaignPage() {
  return <PageHead title="Campaign" />;
}

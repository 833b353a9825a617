import { PageHead } from '../../components/PageHead.tsx';

export function WalletTransactionsPage() {
  return <PageHead title="Wallet transactions" />;
}

import { toMicros } from '@roundhouse/contract';
import { type CheckOptions, checkWallet, type WalletReport } from '../../src/walletCheck/checkWallet.ts';
import { afterFile } from '../support/afterFile.ts';
import { startHonestWallet } from '../support/honestWallet.ts';

type Wallet = Awaited<ReturnType<typeof startHonestWallet>>;
type Checked = Pick<Wallet, 'url' | 'secret' | 'sessionID'> & { expiredSessionID?: string };

const opened: Wallet[] = [];
afterFile(async () => {
  await Promise.all(opened.splice(0).map((wallet) => wallet.close()));
});

/** A wallet that is closed at the end of the file. */
export async function openWallet(options?: Parameters<typeof startHonestWallet>[0]): Promise<Wallet> {
  const wallet = await startHonestWallet(options);
  opened.push(wallet);
  return wallet;
}

export function check({ url, secret, sessionID, expiredSessionID }: Checked, more: Partial<CheckOptions> = {}) {
  return checkWallet({
    baseUrl: url,
    secret,
    sessionID,
    ...(expiredSessionID !== undefined && { expiredSessionID }),
    gameID: 'a-game',
    bet: toMicros(1_000_000),
    ...more,
  });
}

/** The report of a wallet that must answer. */
export async function reportOf(wallet: Checked, more: Partial<CheckOptions> = {}): Promise<WalletReport> {
  const outcome = await check(wallet, more);
  if (!outcome.ok) throw new Error(outcome.why);
  return outcome.report;
}

export function idsOf({ results }: WalletReport, outcome: WalletReport['results'][number]['outcome']): string[] {
  return results.filter((result) => result.outcome === outcome).map(({ id }) => id);
}

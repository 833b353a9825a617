import { toMicros } from '@roundhouse/contract';
import { onTestFinished } from 'vitest';
import { type CheckOptions, checkWallet, type WalletReport } from '../src/checkWallet.ts';
import { type FakeWallet, startFakeWallet } from '../src/fakeWallet/fakeWallet.ts';

type Checked = Pick<FakeWallet, 'url' | 'secret' | 'sessionID'> & { expiredSessionID?: string };

/** Opens a wallet that is closed at the end of the test. */
export async function openWallet(options?: Parameters<typeof startFakeWallet>[0]): Promise<FakeWallet> {
  const wallet = await startFakeWallet(options);
  onTestFinished(() => wallet.close());
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

/** Returns the report of a wallet that must respond. */
export async function reportOf(wallet: Checked, more: Partial<CheckOptions> = {}): Promise<WalletReport> {
  const outcome = await check(wallet, more);
  if (!outcome.ok) throw new Error(outcome.why);
  return outcome.report;
}

export function idsOf({ results }: WalletReport, outcome: WalletReport['results'][number]['outcome']): string[] {
  return results.filter((result) => result.outcome === outcome).map(({ id }) => id);
}

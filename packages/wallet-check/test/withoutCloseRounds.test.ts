import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { idsOf, reportOf } from './checking.ts';

/** The documents had this example before `/close-rounds` came. */
const WITHOUT_CLOSE_ROUNDS = fileURLToPath(new URL('./fixtures/walletWithoutCloseRounds.mjs', import.meta.url));

let wallet: ChildProcess | undefined;
afterEach(async () => {
  if (wallet?.exitCode !== null || wallet.signalCode !== null) return;
  wallet.kill('SIGKILL');
  await once(wallet, 'close');
});

async function startWallet({ secret, sessionID }: { secret: string; sessionID: string }): Promise<string> {
  const child = spawn(process.execPath, [WITHOUT_CLOSE_ROUNDS], {
    env: { PATH: process.env.PATH, SECRET: secret, SESSION_ID: sessionID, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  wallet = child;
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return /^Wallet: (\S+)$/m.exec(String(line))?.[1] ?? '';
}

it('a wallet without the optional /close-rounds passes, and the report names the call', async () => {
  const [secret, sessionID] = [`secret-${randomUUID()}`, `acme:${randomUUID()}`];
  const url = await startWallet({ secret, sessionID });
  const report = await reportOf({ url, secret, sessionID, expiredSessionID: `${sessionID}-ended` });
  expect(idsOf(report, 'fail')).toEqual([]);
  const closings = report.results.filter(({ id }) => id.startsWith('closings.'));
  expect(report.results.filter(({ outcome }) => outcome === 'not testable')).toEqual(closings);
  expect(closings).toContainEqual({
    id: 'closings.each',
    rule: 'A group of closings closes each round, each has one result, and no money moves.',
    outcome: 'not testable',
    why: 'the wallet has no /close-rounds (404), which is optional',
  });
  expect(report.balanceAtEnd).toBe(report.player?.balance);
});

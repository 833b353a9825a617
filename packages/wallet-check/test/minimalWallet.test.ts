import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { idsOf, reportOf } from './checking.ts';

const EXAMPLE = fileURLToPath(new URL('../../../docs/examples/minimalWallet.mjs', import.meta.url));

let wallet: ChildProcess | undefined;
afterEach(async () => {
  if (wallet?.exitCode !== null || wallet.signalCode !== null) return;
  wallet.kill('SIGKILL');
  await once(wallet, 'close');
});

/** The example, started as docs/operators.md says. */
async function startExample({ secret, sessionID }: { secret: string; sessionID: string }): Promise<string> {
  const child = spawn(process.execPath, [EXAMPLE], {
    env: { PATH: process.env.PATH, SECRET: secret, SESSION_ID: sessionID, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  wallet = child;
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return /^Wallet: (\S+)$/m.exec(String(line))?.[1] ?? '';
}

it('the example wallet keeps every rule, with either of two secrets', async () => {
  const [secret, next, sessionID] = [`first-${randomUUID()}`, `next-${randomUUID()}`, `acme:${randomUUID()}`];
  const url = await startExample({ secret: `${secret},${next}`, sessionID });
  const checked = { url, sessionID, expiredSessionID: `${sessionID}-ended` };
  for (const each of [secret, next]) {
    const report = await reportOf({ ...checked, secret: each });
    expect({ fail: idsOf(report, 'fail'), notTestable: idsOf(report, 'not testable') }).toEqual({
      fail: [],
      notTestable: [],
    });
  }
});

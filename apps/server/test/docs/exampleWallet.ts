import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll } from 'vitest';
import type { useTestServer } from '../support/testServer.ts';

/** Of the one session that the wallet has. Its player is player-7, and its operator acme. */
export const SESSION_ID = 'acme:a-session-id';

/** Runs an example wallet, as a program of its own, as that of the operator acme. */
export function useExampleWallet(server: ReturnType<typeof useTestServer>, program: string) {
  const wallet = { url: '', secret: randomUUID() };
  let child: ChildProcess;
  beforeAll(async () => {
    const started = spawn(process.execPath, [program], {
      env: { PATH: process.env.PATH, SECRET: wallet.secret, SESSION_ID, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const [line] = await once(started.stdout.setEncoding('utf8'), 'data');
    wallet.url = /^Wallet: (\S+)$/m.exec(String(line))?.[1] ?? '';
    await server.db.operator.create({
      data: { code: 'acme', name: 'Acme', wallet: 'seamless', walletUrl: wallet.url, secrets: [wallet.secret] },
    });
  });
  afterAll(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  return wallet;
}

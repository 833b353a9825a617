import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { temporaryFolder } from '../support/roundhouse.ts';
import type { useTestServer } from '../support/testServer.ts';

/** The wallet has one session, with this id. Its player is player-7, and its operator acme. */
export const SESSION_ID = 'acme:a-session-id';

const example = (name: string) =>
  fileURLToPath(new URL(`../../../../docs/examples/minimalWallet.${name}`, import.meta.url));

type Command = readonly [program: string, ...args: string[]];

/** The documents show these example wallets; each command starts one on a free port. */
export const EXAMPLE_WALLETS = {
  JavaScript: [process.execPath, example('mjs')],
  Python: ['python3', example('py')],
  PHP: ['php', '-q', '-S', '127.0.0.1:0', example('php')],
} as const satisfies Record<string, Command>;

/** Runs a wallet as a separate program. PHP serves four requests at the same moment. */
export async function startExampleWallet(
  [program, ...args]: Command,
  { secret, sessionID = SESSION_ID }: { secret: string; sessionID?: string },
) {
  const state = path.join(await temporaryFolder('wallet'), 'state.json');
  const settings = { SECRET: secret, SESSION_ID: sessionID, PORT: '0', STATE: state, PHP_CLI_SERVER_WORKERS: '4' };
  // The wallet gets its own process group, because PHP leaves its workers behind.
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [started] = /http:\/\/127\.0\.0\.1:\d+\b(?=.*\n)/.exec(output) ?? [];
        if (started !== undefined) resolve(started);
      });
    }
    child.once('error', reject).once('close', () => reject(new Error(`${program} ended: ${output}`)));
  });
  return {
    url,
    /** Returns what it has printed so far. */
    output: () => output,
    async stop() {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await once(child, 'close');
    },
  };
}

/** Starts the wallet of the operator acme. */
export function useExampleWallet(server: ReturnType<typeof useTestServer>, command: Command) {
  const wallet = { url: '', secret: randomUUID() };
  let started: Awaited<ReturnType<typeof startExampleWallet>>;
  beforeAll(async () => {
    started = await startExampleWallet(command, wallet);
    wallet.url = started.url;
    await server.db.operator.create({
      data: {
        code: 'acme',
        name: 'Acme',
        wallet: 'seamless',
        walletUrl: wallet.url,
        secrets: [wallet.secret],
        freeRounds: true,
      },
    });
  });
  afterAll(() => started.stop());
  return wallet;
}

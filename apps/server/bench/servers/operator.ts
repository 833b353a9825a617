import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CleanUp } from '@roundhouse/service';
import { changeOperator } from '../../dist/ledger/queries/changeOperator.js';
import { type CpuClock, treeClock } from '../cpu.ts';
import type { StagedDatabase } from '../stage/stage.ts';
import { CURRENCY } from '../workload.ts';
import { postJson } from './postJson.ts';
import { environment } from './roundhouse.ts';

/** Run as a program: the server knows no operator. */
const COMMAND = fileURLToPath(new URL('../../../operator/bin/operator.js', import.meta.url));
const CODE = 'lobby';
const SECRET = 'what the reference operator of the bench signs with';
/** Micros: enough for every bet of a long run. */
const BALANCE = 1_000_000_000_000;

export type ReferenceOperator = { clock: CpuClock; launch(playerID: string): Promise<string> };

/** The reference operator as a process of its own, on the same PostgreSQL, joined with the server as `roundhouse operator add` does it. */
export async function startOperator(
  cleanUp: CleanUp,
  { db, url: databaseUrl }: StagedDatabase,
  roundhouseUrl: string,
): Promise<ReferenceOperator> {
  const operator = fork(COMMAND, [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...environment(),
      DATABASE_URL: databaseUrl,
      ROUNDHOUSE_OPERATOR_CODE: CODE,
      ROUNDHOUSE_OPERATOR_SECRET: SECRET,
      ROUNDHOUSE_OPERATOR_RGS_URL: roundhouseUrl,
      ROUNDHOUSE_OPERATOR_LISTEN_PORT: '0',
      ROUNDHOUSE_OPERATOR_BENCH: '1',
    },
  });
  cleanUp.add(() => stop(operator));
  const url = await addressOf(operator);
  const change = { walletUrl: `${url}/wallet`, secret: SECRET };
  const joined = await changeOperator(db, { code: CODE, kind: 'add', change, makeSecret: () => SECRET });
  if (!joined.ok) throw new Error(joined.fault.kind);
  return {
    clock: treeClock(operator.pid ?? 0),
    /** A player with money and a session that the server knows: its sessionID. */
    async launch(playerID) {
      await postJson(`${url}/api/players`, { playerID, currency: CURRENCY });
      await postJson(`${url}/api/players/${playerID}/balance`, { currency: CURRENCY, amount: BALANCE });
      const { sessionID } = await postJson<{ sessionID: string }>(`${url}/api/launch`, {
        playerID,
        gameID: 'bench',
        currency: CURRENCY,
      });
      await postJson(`${roundhouseUrl}/wallet/authenticate`, { sessionID });
      return sessionID;
    },
  };
}

function addressOf(operator: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    operator.once('message', (ready) => resolve((ready as { url: string }).url));
    operator.once('exit', () => reject(new Error('the operator ended before it was ready')));
  });
}

async function stop(operator: ChildProcess): Promise<void> {
  if (operator.exitCode !== null || operator.signalCode !== null) return;
  const gone = once(operator, 'exit');
  operator.kill('SIGTERM');
  await gone;
}

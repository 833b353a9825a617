import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readHandover } from './handover.ts';

const COMMAND = fileURLToPath(new URL('../../apps/server/bin/roundhouse.js', import.meta.url));
const execute = promisify(execFile);
const HOUR_MS = 3_600_000;

type Gift = {
  /** Is the token of a test player. */
  player: string;
  rounds?: number;
  /** In units: 0.40. */
  bet?: string;
  automatic?: boolean;
  paidAtEnd?: boolean;
  endsInMs?: number;
};

/** Gives free rounds of the slot's base mode, as an operator does. Returns the grantID. */
export async function giveFreeRounds(gift: Gift): Promise<string> {
  const { player, rounds = 3, bet = '0.40', automatic, paidAtEnd, endsInMs = HOUR_MS } = gift;
  const grantID = `grant-${randomUUID()}`;
  const ends = new Date(Date.now() + endsInMs).toISOString();
  await run('give', '--grant', grantID, '--player', player, '--currency', 'USD', [
    ...['--games', 'aurora-line', '--bet', `USD=${bet}`, '--rounds', String(rounds), '--ends', ends],
    ...(automatic ? ['--automatic'] : []),
    ...(paidAtEnd ? ['--paid-at-end'] : []),
  ]);
  return grantID;
}

/** The operator takes the unused rounds back. */
export async function cancelFreeRounds(grantID: string): Promise<void> {
  await run('cancel', grantID);
}

async function run(...words: (string | string[])[]): Promise<void> {
  const { dataFolder } = readHandover().stacks.demo;
  await execute(process.execPath, [COMMAND, 'free-rounds', ...words.flat(), '--data', dataFolder]);
}

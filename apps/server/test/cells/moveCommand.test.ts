import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { expectOneLine, freePort, runRoundhouse, SECRETS_KEY, temporaryFolder } from '../support/roundhouse.ts';
import { useTwoCells, whereIs } from './twoCells.ts';
import { writeFleet } from './writeFleet.ts';

const cells = useTwoCells();

let fleet: string;
beforeAll(async () => {
  const databases = [cells.a.databaseUrl, cells.b.databaseUrl];
  const named = cells.fleet.cells.map((cell, at) => ({ ...cell, databaseUrl: databases[at] }));
  fleet = await writeFleet({ ...cells.fleet, cells: named });
});

const env = { ROUNDHOUSE_SECRETS_KEY: SECRETS_KEY };
const roundhouse = (...args: string[]) => runRoundhouse(['cell', ...args, '--fleet', fleet], { env });
const move = (...args: string[]) => roundhouse('move', 'house', ...args, '--from', 'a', '--to', 'b');

async function newPlayer() {
  const token = cells.newPlayer('house');
  return { token, sessionID: await cells.a.liveSession({ token }) };
}

it('moves the players of a file, says what has happened, and forgets what the source has kept', async () => {
  const players = [await newPlayer(), await newPlayer(), await newPlayer()];
  const file = path.join(await temporaryFolder('players'), 'players.txt');
  await writeFile(file, `${players[0]?.token}\n${players[1]?.token}\n`);
  expect(await move('--players', file)).toMatchObject({ code: 0, stdout: '2 players moved from a to b, 0 stay.\n' });
  expect(await roundhouse('status')).toMatchObject({
    code: 0,
    stdout: 'a  house  finished  2\nb  house  finished  2\n',
  });
  // The rest of the operator; a second run finds nobody.
  expect((await move()).stdout).toBe('1 players moved from a to b, 0 stay.\n');
  expect((await move()).stdout).toBe('0 players moved from a to b, 0 stay.\n');
  const forgotten = await roundhouse('forget', 'house', '--from', 'a');
  expect(forgotten).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+ rows of 3 players are forgotten in a\.\n$/),
  });
});

it('names the player that stays, with exit code 1, and goes back', async () => {
  const { token, sessionID } = await newPlayer();
  const { round } = (await cells.a.playBook(sessionID, 2)).body;
  const stays = `${token} stays: round ${round.betID} is open\n0 players moved from a to b, 1 stay.\n`;
  expect(await move(token, '--wait', '0s')).toMatchObject({ code: 1, stdout: stays });
  expect(await move('--back')).toMatchObject({ code: 0, stdout: '0 players stay in a and may play again.\n' });
  await cells.a.endRound(sessionID);
  expect(await move(token, '--complete')).toMatchObject({ code: 0 });
  expect((await whereIs(cells, token)).b).toEqual({ movedTo: null, accounts: 1 });
});

it('refuses cells that the fleet file does not have', async () => {
  expectOneLine(await roundhouse('move', 'house', '--from', 'a', '--to', 'c'), /has no cell c\./);
  expectOneLine(await roundhouse('move', 'house', '--from', 'a', '--to', 'a'), /^--from and --to are two cells\./);
});

it('a cell that is away stops only what needs it', async () => {
  const [a, b] = [cells.a.databaseUrl, `postgresql://nobody@127.0.0.1:${await freePort()}/away`];
  const named = cells.fleet.cells.map((cell, at) => ({ ...cell, databaseUrl: at === 0 ? a : b }));
  const args = ['--fleet', await writeFleet({ ...cells.fleet, cells: named })];
  const status = await runRoundhouse(['cell', 'status', ...args], { env });
  expect([status.code, status.stdout]).toEqual([
    1,
    expect.stringMatching(/^a {2}house {2}finished.*\nb {2}The database cannot be reached \(ECONNREFUSED\)/s),
  ]);
  const moved = await runRoundhouse(['cell', 'move', 'house', '--from', 'a', '--to', 'b', ...args], { env });
  expectOneLine(moved, /^b: The database cannot be reached/);
});

it('refuses a database that is that of another cell', async () => {
  const named = cells.fleet.cells.map((cell) => ({ ...cell, databaseUrl: cells.a.databaseUrl }));
  const args = ['--fleet', await writeFleet({ ...cells.fleet, cells: named })];
  const moved = await runRoundhouse(['cell', 'move', 'house', '--from', 'a', '--to', 'b', ...args], { env });
  expectOneLine(moved, /^b: The database is that of the cell with number \d+, and b has number \d+\./);
});

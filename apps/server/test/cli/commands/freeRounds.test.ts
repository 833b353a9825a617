import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishGame } from '../../../src/store/rounds/games.ts';
import { temporaryFolder } from '../../support/roundhouse.ts';
import { useBooks } from './books.ts';

// test/operator/freeRounds*.test.ts tests the rules: the commands call the same functions.

const books = useBooks();
const folder = await temporaryFolder('free-rounds');
/** Splits arguments in one text, in which `_` stands for a blank. */
const words = (args: string) => ['free-rounds', ...args.split(' ').map((word) => word.replaceAll('_', ' '))];
const freeRounds = (args: string) => books.succeed(...words(args));

const UNIT = 1_000_000;
const MOMENTS = { totalWeight: 1n, hitWeight: 1n, sum: 0n, sumOfSquares: 0n, sumOfCubes: 0n, max: 500n };
const TERMS = '--games slot --bet USD=1.00 --rounds 10 --ends 2100-01-01T00:00:00Z';

beforeAll(async () => {
  const game = { gameID: 'slot', version: '1', title: 'Slot', mathSha256: '', currencies: ['USD'], jurisdiction: {} };
  const limits = { minBet: UNIT, maxBet: UNIT, stepBet: UNIT, betLevels: [] };
  await publishGame(books.db, {
    ...game,
    betLimits: { default: limits } as never,
    modeReturns: { BASE: { rtp: 0.9, feature: false } },
    tables: [{ mode: 'BASE', cost: '1', moments: MOMENTS, commitment: { sha256: '', root: '' } }],
  });
  await books.succeed('operator', 'add', 'house');
});

describe('roundhouse free-rounds', () => {
  it('campaign add, list, show and cancel', async () => {
    const made = await freeRounds(`campaign add welcome ${TERMS} --starts 2026-01-01T00:00:00Z --actor ann`);
    expect(made).toBe(
      'welcome  open: 10 rounds of slot in BASE, bet 1.00 USD\n' +
        '  from 2026-01-01T00:00:00.000Z to 2100-01-01T00:00:00.000Z; 0 grants, 0 rounds used, 0 left\n',
    );
    expect(await freeRounds('campaign list')).toBe(made);
    await freeRounds('give --campaign welcome --grant g1 --player anna --currency USD');
    expect(await freeRounds('campaign show welcome')).toMatch(/; 1 grants, 0 rounds used, 10 left$/m);
    expect(await freeRounds('campaign cancel welcome --reason over')).toMatch(/^welcome {2}cancelled: .*\n.* 0 left$/m);
    expect(await freeRounds('show g1')).toMatch(/^g1 {2}cancelled: 10 rounds for anna, slot in BASE, bet 1\.00 USD$/m);
    const events = await books.succeed('audit', 'list', '--actor', 'ann');
    expect(events).toMatch(/person:ann {2}campaign_created {2}campaign welcome of operator house$/m);
  });

  it('give, list and cancel', async () => {
    const file = path.join(folder, 'players.json');
    const grants = ['ben', 'eva'].map((playerID) => ({ grantID: `for-${playerID}`, playerID, currency: 'USD' }));
    await writeFile(file, JSON.stringify(grants));
    const give = () => freeRounds(`give ${TERMS} --file ${file.replaceAll(' ', '_')}`);
    expect([await give(), await give()]).toEqual(Array(2).fill('2 players have free rounds.\n'));
    const listed = await freeRounds('list --player eva');
    expect(listed).toBe(
      'for-eva  offered: 10 rounds for eva, slot in BASE, bet 1.00 USD\n' +
        '  0 used, 10 left, won 0.00 USD; expires 2100-01-01T00:00:00.000Z\n',
    );
    expect(await freeRounds('cancel for-eva')).toMatch(/^for-eva {2}cancelled/);
    expect(await freeRounds('list --state cancelled --player eva')).toMatch(/^for-eva {2}cancelled/);
    expect(await freeRounds('list --campaign none')).toBe('No grant.\n');
  });

  it.each<[string, RegExp]>([
    [`campaign add x ${TERMS} --mode SUPER`, /^Nothing was done: mode: game slot has no such mode; it has BASE$/m],
    [`give ${TERMS} --file /nowhere/none`, /ENOENT/],
    [`give ${TERMS} --operator nobody --grant g --player p --currency USD`, /^There is no operator nobody\.$/m],
    ['show nothing', /^there is no such grant of this operator$/m],
  ])('%s is refused', (args, line) => books.expectRefused(`free-rounds ${args}`, line));
});

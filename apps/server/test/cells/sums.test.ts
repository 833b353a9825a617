import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishGame } from '../../src/store/rounds/games.ts';
import { anyAct, type LedgerPlayer, useLedger } from '../support/ledgerPlay.ts';
import { runRoundhouse, succeed } from '../support/roundhouse.ts';
import { fleetOfCells, writeFleet } from './writeFleet.ts';

/** Two cells, and one database in which the players of both do the same. */
const first = useLedger({ house: 2, seamless: 1 });
const second = useLedger({ house: 2, seamless: 1 });
const whole = useLedger({ house: 4, seamless: 2 });

const MOMENTS = {
  ...{ totalWeight: 100n, hitWeight: 48n, max: 200n },
  ...{ sum: 9_600n, sumOfSquares: 1_920_000n, sumOfCubes: 384_000_000n },
};
const GAME = { gameID: 'game', version: '1.0.0', title: 'Game', mathSha256: '', jurisdiction: {}, betLimits: {} };
const COMMITMENT = { sha256: 'a'.repeat(64), root: 'b'.repeat(64) };
const PUBLISHED = new Date('2026-01-02T03:04:05Z');
const DAY = new Date().toISOString().slice(0, 10);

let fleet: string;

beforeAll(async () => {
  fleet = await writeFleet(fleetOfCells([first, second].map(({ url }) => ({ databaseUrl: url }))));
  // Ids differ between the cells: the second one knew another game before.
  await second.db.game.create({ data: { code: 'another' } });
  // A player is in one cell, so the names differ as well.
  await second.db.$executeRaw`UPDATE players SET external_id = external_id || ' of eu-2'`;
  for (const { db } of [first, second, whole]) {
    const tables = [{ mode: 'BASE', cost: '1', moments: MOMENTS, commitment: COMMITMENT }];
    await publishGame(db, { ...GAME, currencies: ['USD'], modeReturns: {}, tables });
    const modeReturns = { BASE: { rtp: 0.96, feature: false } };
    await db.gameVersion.updateMany({ data: { publishedAt: PUBLISHED, modeReturns } });
  }
  await succeed(['migrate', '--fleet', fleet]);
});

const over = (...words: string[]) => succeed([...words, '--fleet', fleet]);
const alone = (...words: string[]) => succeed(words, { env: { DATABASE_URL: whole.url } });
const read = async (text: Promise<string>) => JSON.parse(await text);

/** The players of both cells, each with the same player in the database of all. */
function pairs() {
  const { players } = whole;
  const all = players as [LedgerPlayer, LedgerPlayer, LedgerPlayer, LedgerPlayer, LedgerPlayer, LedgerPlayer];
  const own = (cell: typeof first, at: number) => ({ cell, player: cell.players[at] as LedgerPlayer });
  return [
    { ...own(first, 0), same: all[0] },
    { ...own(first, 1), same: all[1] },
    { ...own(second, 0), same: all[2] },
    { ...own(second, 1), same: all[3] },
    { ...own(first, 2), same: all[4] },
    { ...own(second, 2), same: all[5] },
  ];
}

describe('what is played in two cells', () => {
  it('has the sums of one database with all of it, whoever does what', { timeout: 300_000 }, async () => {
    const act = fc.record({ pair: fc.nat(5), wanted: anyAct });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 60 }), async (acts) => {
        for (const { pair, wanted } of acts) {
          const { cell, player, same } = pairs()[pair] as ReturnType<typeof pairs>[number];
          await cell.act(player, wanted);
          await whole.act(same, wanted);
        }
        const { sum, isWhole } = await read(over('rtp', '--json'));
        expect(isWhole).toBe(true);
        expect(sum).toEqual(await read(alone('rtp', '--json')));
        const report = ['report', '--period', 'life', '--date', DAY, '--json'];
        const { sum: rows, report: title } = await read(over(...report));
        expect({ rows, title }).toMatchObject({ rows: (await read(alone(...report))).rows, title: 'Game performance' });
        const [, rounds, transfers, transactions] =
          /(\d+) rounds, (\d+) transfers, (\d+) wallet/.exec(await alone('books-balance')) ?? [];
        const books = await over('books-balance');
        expect(books).toMatch(new RegExp(`^all cells +balance +\\d+ +${rounds} +${transfers} +${transactions}$`, 'm'));
      }),
      { numRuns: 3 },
    );
  });

  it('CSV has the rows of each cell and of all cells, with the name in front', async () => {
    const [head, ...lines] = (await over('rtp', '--csv')).trim().split('\n');
    expect(head).toMatch(/^cell,game,version,mode,currency,rounds,.*,issue$/);
    expect([...new Set(lines.map((line) => line.split(',')[0]))]).toEqual(['eu-1', 'eu-2', 'all cells']);
    const report = (await over('report', '--period', 'day', '--csv')).trim().split('\n');
    expect(report[0]).toMatch(/^cell,report,from,to,.*,issue$/);
    expect(report.at(-1)).toMatch(/^all cells,Game performance,/);
  });

  it('the text has a line for each cell, and the sum', async () => {
    const text = await over('rtp');
    expect(text).toMatch(/^cell +rounds\neu-1 +\d+\neu-2 +\d+\nall cells +\d+\n\ngame\/1\.0\.0, BASE, USD\n/);
    expect(await over('report', '--period', 'life')).toMatch(
      /^cell +rounds\neu-1 +\d+\neu-2 +\d+\nall cells +\d+\n\nGame/,
    );
  });

  it('one cell of the fleet prints what its database prints', async () => {
    for (const words of [['rtp', '--json'], ['books-balance'], ['audit', 'verify'], ['rtp', '--check']]) {
      const own = await runRoundhouse(words, { env: { DATABASE_URL: second.url } });
      expect(await runRoundhouse([...words, '--fleet', fleet, '--cell', 'eu-2'])).toEqual(own);
      // One address is one database, as it always was.
      expect(await runRoundhouse([...words, '--database', second.url])).toEqual(own);
    }
  });
});

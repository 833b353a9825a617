import { toMicros } from '@roundhouse/contract';
import { beforeAll, expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { voidRound } from '../../../src/ledger/voidAndComplete.ts';
import { useDatabase } from '../../support/database.ts';
import { BET, type LedgerPlayer, openPlayers } from '../../support/ledgerPlay.ts';
import { succeed } from '../../support/roundhouse.ts';

const DAY_MS = 86_400_000;
const UNIT = 1_000_000;

const database = useDatabase();
let today: string;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const env = () => ({ DATABASE_URL: database.url });
const report = (...args: string[]) => succeed(['report', '--period', ...args], { env: env() });
const rowsOf = async (...args: string[]) => JSON.parse(await report(...args, '--json')).rows;

beforeAll(async () => {
  const { db } = database;
  const ledger = createLedger(db);
  const [first, second, third] = (await openPlayers(db, 3)) as [LedgerPlayer, LedgerPlayer, LedgerPlayer];
  await db.operator.create({ data: { code: 'quiet', name: 'Quiet' } });
  const open = async (player: LedgerPlayer, units: number, hundredths: number, mode = 'BASE') => {
    const amount = toMicros(units * UNIT);
    const payout = toMicros((units * UNIT * hundredths) / 100);
    const priced = { mode, amount, debit: amount, payout, payoutMultiplier: BigInt(hundredths) };
    const opened = await ledger.openRound({ ...BET, ...player, ...priced });
    if (!opened.ok) throw new Error(opened.refusal);
    return opened.roundID;
  };
  // Three rounds of 1, 2 and 3 pay 0, 1.5 and 3.99.
  await open(first, 1, 0);
  await open(first, 2, 75);
  await ledger.endRound(first);
  await open(second, 3, 133);
  await ledger.endRound(second);
  const operatorID = (await db.operator.findUniqueOrThrow({ where: { code: 'house' } })).id;
  await voidRound(db, { operatorID, roundID: await open(second, 4, 100), reason: 'test' });
  // One has just begun, the other one has been left.
  await open(second, 5, 100);
  const left = await open(third, 6, 100, 'ANTE');
  await db.round.update({ where: { id: left }, data: { openedAt: new Date(Date.now() - DAY_MS / 12) } });
  await db.gameVersion.updateMany({
    data: { modeReturns: { BASE: { rtp: 0.965, feature: false } }, publishedAt: PUBLISHED },
  });
  // A free round of 2 pays 5, and one of 1 is void.
  for (const [isVoid, bet, payout] of [
    [false, 2 * UNIT, 5 * UNIT],
    [true, UNIT, 0],
  ])
    await db.$executeRaw`
      INSERT INTO completed_rounds (operator_id, game_version_id, day, is_void, is_free, bet_micros, payout_micros, mode, currency)
      SELECT operator_id, game_version_id, day, ${isVoid}, true, ${bet}, ${payout}, mode, currency FROM completed_rounds LIMIT 1`;
  const [closed] = await db.$queryRaw<{ day: Date }[]>`SELECT max(ended_at) AS day FROM rounds`;
  today = dayOf(closed?.day.getTime() ?? 0);
});

const PUBLISHED = '2026-01-02T03:04:05.000Z';
const OF_GAME = {
  ...{ operator: 'house', activity: true, gameID: 'game', gameVersion: '1.0.0', currency: 'USD' },
  ...{ title: 'Game', type: 'slot', status: 'available', availableSince: PUBLISHED, withdrawnAt: null },
};
const NOTHING = {
  ...{ rounds: 0, bets: '0', payouts: '0', ggr: '0', actualRtp: null, voidRounds: 0, voidBets: '0' },
  ...{ freeRounds: 0, freeBets: '0', freePayouts: '0' },
};
const QUIET = { operator: 'quiet', activity: false };
const INTERRUPTED = { interruptedRounds: 1, interruptedBets: '6000000' };
const LEFT = { ...OF_GAME, ...NOTHING, mode: 'ANTE', theoreticalRtp: null, ...INTERRUPTED };

it('says what was played, won, made void and left, beside the theoretical RTP, and who has no activity', async () => {
  const base = {
    ...{ ...OF_GAME, mode: 'BASE', rounds: 3, bets: '6000000', payouts: '5490000', ggr: '510000' },
    // The free round counts for the RTP only, and apart: 10.49 of 8.
    ...{ actualRtp: '131.1250', theoreticalRtp: '96.5000', voidRounds: 2, voidBets: '5000000' },
    ...{ interruptedRounds: 0, interruptedBets: '0', freeRounds: 1, freeBets: '2000000', freePayouts: '5000000' },
  };
  const { report: title, from, to, generatedAt, rows } = JSON.parse(await report('day', '--date', today, '--json'));
  expect({ title, from, to }).toEqual({ title: 'Game performance', from: today, to: today });
  expect(Math.abs(Date.parse(generatedAt) - Date.now())).toBeLessThan(300_000);
  expect(rows).toEqual([LEFT, base, QUIET]);
  for (const period of ['month', 'year', 'life']) expect(await rowsOf(period, '--date', today)).toEqual(rows);
  expect(await rowsOf('life', '--game', 'game', '--operator', 'house', '--date', today)).toEqual([LEFT, base]);
});

it('counts no round of another day; what is left is left now', async () => {
  const yesterday = dayOf(Date.parse(today) - DAY_MS);
  for (const words of [`day --date ${yesterday}`, `life --date ${yesterday}`, 'day --date 2100-01-01'])
    expect(await rowsOf(...words.split(' '))).toEqual([LEFT, QUIET]);
});

it.each([
  ['day', '2026-11-23'],
  ['month', '2026-11-01'],
  ['year', '2026-01-01'],
  ['life', null],
])('the %s until 2026-11-23 begins on %s', async (period, from) => {
  const read = JSON.parse(await report(period, '--date', '2026-11-23', '--json'));
  expect([read.from, read.to]).toEqual([from, '2026-11-23']);
});

it('CSV has units with six decimals, text has a paragraph for each row', async () => {
  const [header, left = '', base = '', quiet = ''] = (await report('day', '--date', today, '--csv')).split('\n');
  expect(header).toBe(
    'report,from,to,generatedAt,operator,gameID,gameVersion,title,type,status,availableSince,withdrawnAt,mode,currency,rounds,bets,payouts,ggr,actualRtp,theoreticalRtp,' +
      'voidRounds,voidBets,interruptedRounds,interruptedBets,freeRounds,freeBets,freePayouts',
  );
  const known = (line: string) => line.replace(/^(Game performance,[^,]*,[^,]*),[^,]*/, '$1');
  const interval = `Game performance,${today},${today}`;
  expect([left, base, quiet].map(known)).toEqual([
    `${interval},house,game,1.0.0,Game,slot,available,${PUBLISHED},,ANTE,USD,0,0.000000,0.000000,0.000000,,,0,0.000000,1,6.000000,0,0.000000,0.000000`,
    `${interval},house,game,1.0.0,Game,slot,available,${PUBLISHED},,BASE,USD,3,6.000000,5.490000,0.510000,131.1250,96.5000,2,5.000000,0,0.000000,1,2.000000,5.000000`,
    `${interval},quiet,No activity,,,,,,,,,,,,,,,,,,,,,`,
  ]);
  const text = await report('day', '--date', today);
  expect(text).toContain(`From ${today} to ${today} (UTC), generated `);
  expect(text).toContain(`Game, slot, available, available from ${PUBLISHED}`);
  expect(text).toContain('actual RTP 131.1250 %, theoretical RTP 96.5000 %');
  expect(text.match(/free rounds.*/g)).toEqual([
    'free rounds 1, bets that the operator paid 2.000000, payouts 5.000000',
  ]);
  expect(text).toContain('quiet: No activity');
});

it('says of a version that it is withdrawn, or will be', async () => {
  const { db } = database;
  for (const [status, days] of Object.entries({ withdrawn: -1, available: 1 })) {
    const withdrawnAt = new Date(Date.now() + days * DAY_MS);
    await db.gameVersion.updateMany({ data: { withdrawnAt } });
    const [row] = await rowsOf('day', '--date', today);
    expect(row).toMatchObject({ status, availableSince: PUBLISHED, withdrawnAt: withdrawnAt.toISOString() });
    const text = `${status}, available from ${PUBLISHED}, withdrawn from ${withdrawnAt.toISOString()}`;
    expect(await report('day', '--date', today)).toContain(text);
  }
  await db.gameVersion.updateMany({ data: { withdrawnAt: null } });
});

import { pino } from 'pino';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { publishGame, withdrawVersion } from '../../../src/store/rounds/games.ts';
import { claimRtpCheck, readModeTotals } from '../../../src/store/watch/gameTotals.ts';
import { createMetrics } from '../../../src/watch/metrics/metrics.ts';
import { checkRtp, periodsAt, startRtpWatch } from '../../../src/watch/rtp/rtpCheck.ts';
import { type LedgerPlayer, useLedger } from '../../support/ledgerPlay.ts';
import { runRoundhouse } from '../../support/roundhouse.ts';

const database = useLedger({ house: 1 });
const HOUR_MS = 3_600_000;
/** The game pays 2 bets in 48 of 100 rounds: 96 %. */
const MOMENTS = {
  ...{ totalWeight: 100n, hitWeight: 48n, max: 200n },
  ...{ sum: 9_600n, sumOfSquares: 1_920_000n, sumOfCubes: 384_000_000n },
};
const GAME = {
  gameID: 'game',
  version: '1.0.0',
  title: 'Game',
  mathSha256: '',
  jurisdiction: {},
  betLimits: {},
  modeReturns: {},
};
const COMMITMENT = { sha256: 'a'.repeat(64), root: 'b'.repeat(64) };
const publish = (moments = MOMENTS, commitment = COMMITMENT) =>
  publishGame(database.db, {
    ...GAME,
    currencies: ['USD'],
    tables: [{ mode: 'BASE', cost: '1', moments, commitment }],
  });

const player = () => database.players[0] as LedgerPlayer;
beforeAll(() => publish());
beforeEach(async () => {
  await database.db.gameTotal.deleteMany();
  await database.db.rtpAlarm.deleteMany();
});

/**
 * Adds the totals of a day with bets of 1: as many rounds, a tenth of them free, and an RTP in
 * percent.
 */
async function addDay(day: string, { rounds, rtp }: { rounds: number; rtp: number }) {
  const [bets, payouts] = [rounds * 1e6, rounds * rtp * 1e4];
  await database.db.$executeRawUnsafe(
    `INSERT INTO game_totals VALUES (1, 'BASE', 'USD', 1, '${day}', ${rounds}, ${bets}, ${payouts}, ${rounds} / 10, ${bets} / 10, ${payouts} / 10, ${rounds}e12, 1000000, 0, 0)`,
  );
}

const NOW = new Date('2026-03-01T00:30:00Z');

it('a version keeps the sums of its first lookup table; others are refused', async () => {
  expect(await publish()).toEqual({ ok: true });
  const others = { ...MOMENTS, sumOfCubes: MOMENTS.sumOfCubes + 1n };
  expect(await publish(others)).toEqual({ ok: false, changedMode: 'BASE' });
  await addDay('2026-02-01', { rounds: 1, rtp: 0 });
  const [{ table } = {}] = await readModeTotals(database.db);
  expect(table).toEqual({ cost: '1', moments: MOMENTS });
});

it('a version keeps the commitments of its first lookup table; others are refused', async () => {
  for (const other of [{ sha256: 'c'.repeat(64) }, { root: 'c'.repeat(64) }])
    expect(await publish(MOMENTS, { ...COMMITMENT, ...other })).toEqual({ ok: false, changedMode: 'BASE' });
  expect(await publish()).toEqual({ ok: true });
});

it('a version of an earlier release gets its commitments when it is published again', async () => {
  await database.db.gameMode.updateMany({ data: { tableSha256: null, merkleRoot: null } });
  expect(await publish()).toEqual({ ok: true });
  expect(await database.db.gameMode.findMany()).toMatchObject([
    { tableSha256: 'a'.repeat(64), merkleRoot: 'b'.repeat(64) },
  ]);
});

it('the running and the last month and day are looked at, and the whole life', () => {
  expect(periodsAt(NOW)).toMatchObject([
    { name: 'life' },
    { name: '2026-03', from: '2026-03-01', to: '2026-03-31' },
    { name: '2026-02', from: '2026-02-01', to: '2026-02-28' },
    { name: '2026-03-01', from: '2026-03-01', to: '2026-03-01' },
    { name: '2026-02-28', from: '2026-02-28', to: '2026-02-28' },
  ]);
});

it.each<[string, days: Record<string, [rounds: number, rtp: number]>, periods: string[]]>([
  ['a sound game', { '2026-02-28': [1_000_000, 96] }, []],
  ['too few rounds', { '2026-02-28': [999, 10] }, []],
  ['a month and a life below', { '2026-02-10': [1_000_000, 95] }, ['life', '2026-02']],
  [
    'a day above, in a life that hides it',
    { '2025-02-28': [9e7, 96], '2026-02-28': [2e4, 102] },
    ['2026-02', '2026-02-28'],
  ],
  ['a month before the last', { '2025-12-10': [2_000_000, 94], '2024-12-10': [2_000_000, 98] }, []],
])('%s: an alarm for each period out of bounds', async (_, days, periods) => {
  for (const [day, [rounds, rtp]] of Object.entries(days)) await addDay(day, { rounds, rtp });
  const { found } = await checkRtp(database.db, NOW);
  expect(found.map(({ alarm }) => alarm.period)).toEqual(periods);
});

it('an alarm is stored once, as evidence and as a significant event', async () => {
  const events = () => database.db.significantEvent.count({ where: { kind: 'rtp_alarm' } });
  const before = await events();
  await addDay('2026-02-28', { rounds: 100_000, rtp: 90 });
  const first = await Promise.all([checkRtp(database.db, NOW), checkRtp(database.db, NOW)]);
  expect(first.flatMap(({ found }) => found).filter(({ isNew }) => isNew)).toHaveLength(3);
  expect((await checkRtp(database.db, NOW)).found.map(({ isNew }) => isNew)).toEqual([false, false, false]);
  expect(await events()).toBe(before + 3);
  expect(await database.db.rtpAlarm.findFirst({ where: { period: 'life' } })).toMatchObject({ rounds: 100_000n });
});

it('the metric counts the alarms of periods that run, until the version is withdrawn', async () => {
  const alarms = async () => {
    const { report } = createMetrics({ db: database.db, roundStops: { reasons: new Set() }, nodeReads: {} });
    const labels = 'game="game",version="1.0.0",mode="BASE",currency="USD"';
    return (await report({ isOpenMetrics: false })).split(`roundhouse_rtp_alarms{${labels}} `)[1]?.split('\n')[0];
  };
  await addDay('2026-02-28', { rounds: 100_000, rtp: 90 });
  await checkRtp(database.db, NOW);
  expect(await alarms()).toBe('1');
  const now = new Date();
  await addDay(now.toISOString().slice(0, '2026-02-28'.length), { rounds: 100_000, rtp: 90 });
  await checkRtp(database.db, now);
  expect(await alarms()).toBe('3');
  await database.db.gameVersion.updateMany({ data: { withdrawnAt: now } });
  expect(await alarms()).toBeUndefined();
  await database.db.gameVersion.updateMany({ data: { withdrawnAt: null } });
});

it('an open round counts in the life, and apart in the report', async () => {
  await database.play(player(), { pays: true });
  await addDay('2026-02-28', { rounds: 999, rtp: 10 });
  const [totals] = await readModeTotals(database.db, { to: '2026-02-28' });
  const open = { rounds: 1n, bets: 1_000_000n, payouts: 2_000_000n };
  expect(totals).toMatchObject({ rounds: 999n, bets: 999_000_000n, payouts: 99_900_000n, open });
  // This is the thousandth round.
  expect((await checkRtp(database.db, NOW)).found.map(({ alarm }) => alarm.period)).toEqual(['life']);
  for (const filter of [{ operator: 'other' }, { game: 'other' }])
    expect(await readModeTotals(database.db, filter)).toEqual([]);
  expect(await readModeTotals(database.db, { operator: 'house', game: 'game' })).toHaveLength(1);
  await database.end(player());
});

it('one node checks in an hour, and folds at once', async () => {
  const claims = await Promise.all(Array.from({ length: 4 }, () => claimRtpCheck(database.db, HOUR_MS)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  await database.play(player());
  const watch = startRtpWatch({ db: database.db, log: pino({ level: 'silent' }) });
  await watch.stop();
  expect(await database.db.$queryRaw`SELECT FROM completed_rounds`).toEqual([]);
});

it('the command reports, and checks with its exit code', async () => {
  await database.db.$executeRaw`SELECT fold_game_totals()`;
  await database.db.gameTotal.deleteMany();
  const run = (...args: string[]) => runRoundhouse(['rtp', ...args], { env: { DATABASE_URL: database.url } });
  expect((await run()).stdout).toBe('No activity.\n');
  await addDay('2026-02-27', { rounds: 1_000_000, rtp: 96 });
  expect(await run('--check')).toMatchObject({ code: 0 });
  expect((await run()).stdout).toMatch(/\n {2}99\.9 % interval {3}95\.\d+ % to 96\.\d+ %\n {2}z-score/);
  await addDay('2026-03-02', { rounds: 1_000, rtp: 100 });
  expect((await run('--from', '2026-03-02')).stdout).toContain(
    '\n  so far            1000 rounds prove nothing yet; a deviation of one point shows after about 290,000\n',
  );
  await addDay('2026-03-03', { rounds: 1_000, rtp: 20 });
  await addDay('2026-03-04', { rounds: 12, rtp: 150 });
  expect((await run('--from', '2026-03-04')).stdout).toContain('\n  99.9 % interval   too few rounds\n');
  // It is outside of the interval: few rounds can prove a great deviation.
  expect((await run('--from', '2026-03-03', '--to', '2026-03-03')).stdout).not.toContain('prove nothing yet');
  await database.db.gameTotal.deleteMany({ where: { day: { gt: new Date('2026-03-01') } } });
  await addDay('2026-02-28', { rounds: 1_000_000, rtp: 93 });
  const withdrawn = await withdrawVersion(database.db, { gameID: 'game', version: '1.0.0' });
  const withdrawnAt = withdrawn?.withdrawnAt.toISOString();
  const [line] = JSON.parse((await run('--json', '--from', '2026-02-28')).stdout);
  expect(line).toMatchObject({ game: 'game', rounds: '1000000', rtp: 0.93, theoreticalRtp: 0.96, openRounds: '0' });
  expect(line).toMatchObject({ status: 'withdrawn', availableSince: expect.stringMatching(/^20/), withdrawnAt });
  expect(line).toMatchObject({ freeRounds: '100000', freeBets: '100000000000', freePayouts: '93000000000' });
  expect(line.zScore).toBeCloseTo(-0.03 / Math.sqrt((1.92 - 0.96 ** 2) / 1e6), 9);
  expect(line.low).toBeLessThan(0.96);
  expect(line.low).toBeGreaterThan(0.95);
  expect(line.roundsForOnePoint).toBeGreaterThan(290_000);
  expect((await run()).stdout).toContain('\n  free of these     200000, bets 200000.00, payouts 189000.00\n');
  const [heading, row] = (await run('--csv')).stdout.split('\n');
  expect(heading).toMatch(/^game,version,mode,currency,rounds,bets,payouts,rtp,.*,freeRounds,freeBets,freePayouts$/);
  expect(row).toMatch(/^game,1\.0\.0,BASE,USD,2000000,2000000000000,1890000000000,0\.945,0\.96,/);
  const checked = await run('--check');
  expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining('game/1.0.0, BASE, USD, life: 94.5000 %') });
  expect((await run('--from', '2026-02-30')).stderr).toContain('A UTC day like 2030-01-31.');
});

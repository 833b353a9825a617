import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type MathMode,
  type MathPackage,
  openMath,
  publishTuned,
  type Random64,
  seededRandom,
  tuneMode,
} from '@roundhouse/math';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GameMode, GameVersion } from '../../src/games/catalogue.ts';
import { loadCatalogue } from '../../src/games/loadCatalogue.ts';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { listEvents } from '../../src/ledger/queries/significantEvents.ts';
import { evidenceAgainst, type RoundSums, sumOf, type Theory, theoryOf, zScore } from '../../src/rtp/bounds.ts';
import { ODDS, startRtpWatch } from '../../src/rtp/rtpCheck.ts';
import { startServer } from '../../src/server.ts';
import { useDatabase } from '../support/database.ts';
import { NORMAL, payoutDraw, playedRounds, samplesOutside, tableOf } from '../support/payoutDraw.ts';
import { runRoundhouse, SAMPLE_GAME, temporaryFolder } from '../support/roundhouse.ts';
import { clientOf, OPERATOR } from '../support/testServer.ts';

/** The edition of the demo slot that is part of the package. */
const DEMO_SLOT = fileURLToPath(new URL('../../pages/demo-slot', import.meta.url));
const GAMES = { sample: SAMPLE_GAME, 'demo slot': DEMO_SLOT };
type Game = keyof typeof GAMES;

const MODES: [Game, string][] = [
  ['sample', 'BASE'],
  ['sample', 'BONUS'],
  ['demo slot', 'BASE'],
  ['demo slot', 'ANTE'],
  ['demo slot', 'BONUS'],
];

const opened = new Map<Game, MathPackage>();
let storeFolder: string;

beforeAll(async () => {
  storeFolder = await temporaryFolder('coverage');
  for (const game of Object.keys(GAMES) as Game[]) opened.set(game, await open(path.join(GAMES[game], 'math')));
});
afterAll(() => Promise.all([...opened.values()].map((math) => math.close())));

async function open(folder: string): Promise<MathPackage> {
  const math = await openMath({ folder, storeFolder });
  if (!math.ok) throw new Error(math.issues.map(({ message }) => message).join('\n'));
  return math.value;
}

const modeOf = (game: Game, name: string) => opened.get(game)?.modes.get(name) as MathMode;
const theoryOfMode = (mode: MathMode) => theoryOf(mode.cost, mode.statistics().moments);

/** The weights of the mode that lower its RTP by as many percentage points. */
function weightsBelow(mode: MathMode, points: number): BigUint64Array {
  const tuned = tuneMode(mode, { rtp: mode.statistics().rtp - points / 100 });
  if (!tuned.ok) throw new Error(tuned.reason);
  return tuned.value.weights;
}

describe.each(MODES)('published math: %s, %s', (game, name) => {
  it('the interval of 99.9 % holds the RTP of its rounds', () => {
    const mode = modeOf(game, name);
    const samples = 1_500;
    const outside = samplesOutside(tableOf(mode), theoryOfMode(mode), { samples, rounds: 1_000 });
    expect(outside.bound).toBeLessThanOrEqual(samples / 1_000);
    // Why the z-score decides nothing: of a base game it is outside more than three times as often.
    if (name === 'BASE') expect(outside.normal).toBeGreaterThan(samples / 300);
  });

  it('gives no alarm in 1,000 weeks of looks, beyond the stated rate', () => {
    const mode = modeOf(game, name);
    const theory = theoryOfMode(mode);
    const draw = payoutDraw(tableOf(mode), 1);
    const evidence = { life: 0, month: 0, day: 0 };
    const lookAt = (period: keyof typeof evidence, sums: RoundSums) => {
      evidence[period] = Math.max(evidence[period], evidenceAgainst(sums, theory) / ODDS[period]);
    };
    let [life, month]: (RoundSums | undefined)[] = [];
    let looksOutside = 0;
    for (let day = 0; day < 7_000; day += 1) {
      const today = playedRounds(draw, { rounds: 120, cost: mode.cost });
      life = life === undefined ? today : sumOf(life, today);
      month = month === undefined || day % 30 === 0 ? today : sumOf(month, today);
      lookAt('life', life);
      lookAt('month', month);
      lookAt('day', today);
      if (Math.abs(zScore(month, theory) as number) > NORMAL) looksOutside += 1;
    }
    // The stated rates allow 0.001 lives, 0.02 months and 0.07 days in this time.
    expect(Math.max(...Object.values(evidence)), JSON.stringify(evidence)).toBeLessThan(1);
    // A look each day at the z-score of the month, as if it were the only one.
    if (name === 'BASE') expect(looksOutside).toBeGreaterThan(7);
  });
});

describe('a table with less RTP behind the back of the server', () => {
  /** Rounds with bets of one size until the life is reported, in steps of a 50th of `expected`. */
  function roundsUntilAlarm(draw: () => number, theory: Theory, expected: number): number {
    const rounds = Math.ceil(expected / 50);
    const block = () => playedRounds(draw, { rounds, cost: theory.cost, largest: 1 });
    let life = block();
    while (evidenceAgainst(life, theory) < ODDS.life && life.rounds < 10 * expected) life = sumOf(life, block());
    return Number(life.rounds);
  }

  // The table of docs/compliance/rtp.md.
  it.each<[Game, mode: string, points: number, stated: number, runs: number]>([
    ['sample', 'BASE', 10, 304_000, 9],
    ['sample', 'BONUS', 1, 504_000, 4],
    ['sample', 'BONUS', 10, 5_040, 9],
    ['demo slot', 'BASE', 1, 32_200_000, 1],
    ['demo slot', 'BASE', 10, 322_000, 9],
    ['demo slot', 'ANTE', 10, 389_000, 9],
    ['demo slot', 'BONUS', 1, 1_010_000, 4],
    ['demo slot', 'BONUS', 10, 10_100, 9],
  ])('%s, %s, %i points less: reported after about %i rounds', (game, name, points, stated, runs) => {
    const mode = modeOf(game, name);
    const theory = theoryOfMode(mode);
    const expected = (2 * Math.log(ODDS.life * 128) * theory.secondMoment) / (points / 100) ** 2;
    expect(expected / stated).toBeCloseTo(1, 1);
    const table = tableOf(mode, weightsBelow(mode, points));
    const taken = Array.from(
      { length: runs },
      (_, run) => roundsUntilAlarm(payoutDraw(table, 100 + run), theory, stated) / stated,
    );
    expect(Math.min(...taken)).toBeGreaterThan(0.3);
    expect(Math.max(...taken)).toBeLessThan(2.5);
  });

  describe('on a server', () => {
    const database = useDatabase();

    /** Adds rounds of yesterday to the totals. */
    const addRounds = (mode: string, { rounds, bets, payouts, betSquares, maxBet }: RoundSums) =>
      database.db.$executeRawUnsafe(
        `INSERT INTO game_totals SELECT v.id, '${mode}', 'USD', o.id, current_date - 1,
          ${rounds}, ${bets}, ${payouts}, ${betSquares}, ${maxBet}, 0, 0 FROM game_versions v, operators o
        ON CONFLICT (game_version_id, mode, currency, operator_id, day) DO UPDATE SET
          rounds = game_totals.rounds + excluded.rounds, bets = game_totals.bets + excluded.bets,
          payouts = game_totals.payouts + excluded.payouts, bet_squares = game_totals.bet_squares + excluded.bet_squares`,
      );

    it('1 point: an alarm as event, metric and exit code, and none for the sound modes', async () => {
      const { db, url: databaseUrl } = database;
      await setOperator(db, OPERATOR, {});
      const loaded = await loadCatalogue({ db, folders: [DEMO_SLOT], storeFolder, warn: () => {} });
      if (!loaded.ok) throw new Error(loaded.issues.join('\n'));
      const { catalogue } = loaded;
      const { gameID, version, modes } = catalogue.current() as GameVersion;
      const log = pino({ level: 'silent' });
      const server = await startServer({
        ...{ db, catalogue, log, host: '127.0.0.1', port: 0 },
        local: { operatorCode: OPERATOR, allowedHosts: [] },
      });
      const look = () => startRtpWatch({ db, log, checkMs: 0 }).stop();
      const check = () => runRoundhouse(['rtp', '--check'], { env: { DATABASE_URL: databaseUrl } });
      const alarms = async () =>
        (await (await fetch(`${server.url}/metrics`)).text()).match(/^roundhouse_rtp_alarms.*/gm);

      // It takes the place of the table that was compared when the version was loaded.
      const bonus = modes.get('BONUS') as GameMode;
      const into = path.join(await temporaryFolder('replaced'), 'math');
      const weights = weightsBelow(bonus.math, 1);
      await publishTuned({ folder: path.join(DEMO_SLOT, 'math'), into, modes: [{ mode: bonus.math, weights }] });
      const replaced = await open(into);
      Object.assign(bonus, { math: replaced.modes.get('BONUS') });
      expect(bonus.math.statistics().rtp).toBeCloseTo(0.95, 8);

      const player = clientOf(server.url);
      const sessionID = await player.liveSession();
      for (let round = 0; round < 10; round += 1) {
        expect((await player.post('/wallet/play', { sessionID, amount: 200_000, mode: 'BONUS' })).status).toBe(200);
        await player.post('/wallet/end-round', { sessionID });
      }
      const draw = (mode: string) => () => Number(modes.get(mode)?.math.draw(random).payoutMultiplier);
      const random = seededBits();
      for (const mode of ['BASE', 'ANTE', 'BONUS']) {
        const { costMultiplier: cost } = modes.get(mode) as GameMode;
        await addRounds(mode, playedRounds(draw(mode), { rounds: mode === 'BONUS' ? 10_000 : 300_000, cost }));
      }
      await look();
      expect(await check()).toMatchObject({ code: 0 });
      expect(await alarms()).toBeNull();

      let blocks = 0;
      for (; (await alarms()) === null && blocks < 20; blocks += 1) {
        await addRounds('BONUS', playedRounds(draw('BONUS'), { rounds: 200_000, cost: '80', largest: 1 }));
        await look();
      }
      expect(await alarms()).toEqual([
        `roundhouse_rtp_alarms{game="${gameID}",version="${version}",mode="BONUS",currency="USD"} 1`,
      ]);
      const subject = `game ${gameID}/${version}, mode BONUS, USD`;
      const [event, ...others] = await listEvents(db, { kind: 'rtp_alarm' });
      expect([event?.subject, others]).toEqual([subject, []]);
      const { before, after } = event ?? {};
      expect(JSON.parse(before ?? '')).toEqual({ rtp: 0.96 });
      expect(JSON.parse(after ?? '')).toMatchObject({ period: 'life', rtp: expect.closeTo(0.95, 2) });
      const { code, stdout } = await check();
      expect(code).toBe(1);
      expect(stdout).toMatch(
        new RegExp(
          `^${gameID}/${version}, BONUS, USD, life: 9[45].* of \\d+ rounds, the table returns 96.0000 %, known before\n$`,
        ),
      );

      await server.close();
      await catalogue.close();
      await replaced.close();
    });
  });
});

/** The same 64 bits in each run, one after the other. */
function seededBits(): Random64 {
  const { below } = seededRandom({ stream: 1, round: 0 });
  return (into) => {
    into[0] = below(2 ** 32);
    into[1] = below(2 ** 32);
  };
}

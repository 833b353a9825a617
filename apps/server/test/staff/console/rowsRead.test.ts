import { beforeAll, describe, expect, test as it } from 'vitest';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { SPAN_OF_A_PAGE } from '../../../src/staff/console/roundHandlers.ts';
import { readNodes } from '../../../src/staff/status/readNodes.ts';
import { readOutages } from '../../../src/staff/status/readOutages.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { listRounds } from '../../../src/store/operators/operatorRounds.ts';
import { lastSecretsChange } from '../../../src/store/operators/operatorSecrets.ts';
import { listOperatorPage } from '../../../src/store/operators/operators.ts';
import { findRoundDetail } from '../../../src/store/operators/roundDetail.ts';
import { switchMaintenanceOn } from '../../../src/store/rounds/maintenance.ts';
import { findRoundContext } from '../../../src/store/rounds/roundContext.ts';
import { findRound } from '../../../src/store/rounds/rounds.ts';
import { findGameDetail, LARGE_WIN_EVENTS, listGamePage, listLargestWins } from '../../../src/store/staff/gamePages.ts';
import { readMaintenance } from '../../../src/store/staff/maintenance.ts';
import {
  countOpenRounds,
  countUnsettledByAge,
  listRtpAlarms,
  readDays,
  readRoundCounter,
  readToday,
} from '../../../src/store/staff/overview.ts';
import {
  countOpenSessions,
  findPlayer,
  listAccounts,
  listPlayerSessions,
  listPlayers,
  readNetPosition,
} from '../../../src/store/staff/playerPages.ts';
import {
  searchCampaigns,
  searchGames,
  searchGrants,
  searchOperators,
  searchPlayers,
  searchRound,
  searchSession,
  searchWalletTransactions,
} from '../../../src/store/staff/search.ts';
import { readModeDays, readModeTotals } from '../../../src/store/watch/gameTotals.ts';
import { findDays, sumDays } from '../../../src/store/watch/moneyTotals.ts';
import { findChainHead, findEventsOf, readChain, walkEvents } from '../../../src/store/watch/significantEvents.ts';
import { findStartedNodes } from '../../../src/watch/audit/startedNodes.ts';
import { createDatabaseReading } from '../../../src/watch/metrics/databaseReading.ts';
import { createMoneyTotals } from '../../../src/watch/metrics/moneyTotals.ts';
import { withAdmin } from '../../support/globalSetup.ts';
import { KNOWN, OPEN, ROUNDS, UNSETTLED, useMillionRounds } from '../../support/millionRounds.ts';
import { DAY_MS } from '../../support/moveTime.ts';
import { LARGE_TABLES, type LargeTable } from '../../support/rowsRead.ts';
import { MONEY_QUERIES } from './moneyQueries.ts';
import { REPORT_QUERIES } from './reportQueries.ts';
import { STATUS_QUERIES } from './statusQueries.ts';

const ledger = useMillionRounds();

/**
 * Each query of the console has a line: what it is, how it is called, and the most rows that it may
 * read of each large table. A table without a number must not be read at all.
 */
type Line = [what: string, query: (db: Database) => Promise<unknown>, most: Partial<Record<LargeTable, number>>];

const SERVER = { operatorID: undefined };
const SMALL = { operatorID: KNOWN.operatorIDs.small };
const NO_ID = '00000000-0000-4000-8000-000000000000';
const ANY_ROUND = { operatorID: undefined, externalID: undefined, gameID: undefined, from: undefined, to: undefined };
const rounds = { ...ANY_ROUND, state: undefined, limit: 50, before: undefined, span: SPAN_OF_A_PAGE };
const players = { operatorID: undefined, prefix: '', after: undefined, limit: 50 };
const twoDays = { from: new Date(Date.now() - 5 * DAY_MS), to: new Date(Date.now() - 3 * DAY_MS) };

const QUERIES: Line[] = [
  ['a round', (db) => findRound(db, KNOWN.round), { rounds: 1, round_events: 1 }],
  ['an archived round', (db) => findRound(db, KNOWN.archivedRound), { archived_rounds: 1, archived_round_events: 1 }],
  ['the overview: plays', (db) => readRoundCounter(db), {}],
  [
    'the overview: days',
    async (db) => readDays(db, [(await readToday(db)).day, (await readToday(db)).lastWeekDay]),
    {},
  ],
  [
    'a page of the log of significant events, its end and its head',
    async (db) => {
      const after = { seq: 10_000n, id: 10_000n };
      await readChain(db, { after, limit: 200 });
      for await (const _ of walkEvents(db, { seq: 49_900n, id: 49_900n }));
      await findChainHead(db);
    },
    { significant_events: 200 + 100 },
  ],
  ['the overview: open rounds', (db) => countOpenRounds(db), { rounds: OPEN, accounts: OPEN }],
  [
    'the overview: unsettled wallet transactions',
    (db) => countUnsettledByAge(db),
    { wallet_transactions: UNSETTLED, rounds: UNSETTLED, accounts: UNSETTLED },
  ],
  ['the overview: alarms', (db) => listRtpAlarms(db, 20), {}],
  ['the overview: outages', (db) => readOutages(db), { significant_events: 2 * 100 }],
  ['the overview: nodes', (db) => readNodes(db), { significant_events: 2 * 20 + 3 * 100 }],
  ['starts of nodes', (db) => findStartedNodes(db, 10), { significant_events: 2 * 10 }],
  ['search: a betID', (db) => searchRound(db, { ...SERVER, roundID: KNOWN.round }), { rounds: 1, players: 1 }],
  [
    'search: a betID of another operator',
    (db) => searchRound(db, { ...SMALL, roundID: KNOWN.round }),
    { rounds: 1, players: 1 },
  ],
  [
    'search: a transactionID',
    (db) => searchWalletTransactions(db, { ...SERVER, transactionID: NO_ID, reference: 'none' }),
    { wallet_transactions: 0 },
  ],
  [
    'search: a session',
    (db) => searchSession(db, { ...SERVER, tokenSha256: sha256Of('session 6 1') }),
    { sessions: 1, players: 1 },
  ],
  [
    'search: a launch',
    (db) => searchSession(db, { ...SERVER, tokenSha256: sha256Of('launch 6') }),
    { launches: 1, sessions: 0, players: 0 },
  ],
  ['search: players', (db) => searchPlayers(db, { ...SERVER, text: 'player-1' }), { players: 3 * 5 }],
  ['search: players of one operator', (db) => searchPlayers(db, { ...SMALL, text: 'player' }), { players: 5 }],
  ['search: no player', (db) => searchPlayers(db, { ...SERVER, text: 'nobody' }), { players: 0 }],
  ['search: games', (db) => searchGames(db, 'game'), {}],
  ['search: operators', (db) => searchOperators(db, { ...SERVER, text: 'a' }), {}],
  ['search: campaigns', (db) => searchCampaigns(db, { ...SERVER, text: KNOWN.campaign }), {}],
  [
    'search: grants',
    (db) => searchGrants(db, { ...SERVER, text: KNOWN.grant }),
    { grants: 1, accounts: 1, players: 1 },
  ],
  [
    'everything about a round',
    async (db) => {
      const events = { after: 0n, limit: 1000 };
      await findRoundDetail(db, { operatorID: undefined, roundID: KNOWN.round, events });
      await findRoundContext(db, KNOWN.round);
      await findEventsOf(db, [`round ${KNOWN.round}`, 'wallet transaction none'], 200);
    },
    {
      rounds: 2,
      round_events: 2,
      transfers: 2,
      wallet_transactions: 2,
      players: 1,
      accounts: 4,
      sessions: 3,
      significant_events: 5,
    },
  ],
  // An open round is also read for whether it is interrupted.
  [
    'the newest rounds',
    (db) => listRounds(db, rounds),
    { rounds: 104, archived_rounds: 2, accounts: 104, players: 52, sessions: 52 },
  ],
  [
    'the newest rounds of a small operator',
    (db) => listRounds(db, { ...rounds, operatorID: KNOWN.operatorIDs.small }),
    { rounds: 600, archived_rounds: 2, accounts: 600, players: 52, sessions: 52 },
  ],
  [
    'rounds that a page looks for in vain',
    (db) => listRounds(db, { ...rounds, state: 'voided' }),
    { rounds: SPAN_OF_A_PAGE, archived_rounds: 2 },
  ],
  [
    'refused rounds that a page looks for in vain',
    (db) => listRounds(db, { ...rounds, state: 'refused' }),
    { rounds: SPAN_OF_A_PAGE, archived_rounds: 2 },
  ],
  [
    'the newest rounds of a player',
    (db) => listRounds(db, { ...rounds, externalID: KNOWN.busyPlayer.playerID }),
    // The page reads as many rounds of each game as of all games.
    { rounds: 160, archived_rounds: 160, accounts: 3, players: 3, sessions: 160 },
  ],
  ['players of all operators', (db) => listPlayers(db, players), { players: 160, accounts: 52 }],
  [
    'players whose names begin with a text',
    (db) => listPlayers(db, { ...players, operatorID: KNOWN.operatorIDs.big, prefix: 'player-1006' }),
    { players: 52, accounts: 52 },
  ],
  [
    'a player',
    async (db) => {
      await findPlayer(db, { operatorID: KNOWN.operatorIDs.big, externalID: KNOWN.busyPlayer.playerID });
      await listAccounts(db, KNOWN.busyPlayer.rowID);
      await countOpenSessions(db, KNOWN.busyPlayer.rowID);
    },
    { players: 1, accounts: 4, sessions: 500 },
  ],
  [
    'the sessions of a player',
    (db) => listPlayerSessions(db, { playerRowID: KNOWN.busyPlayer.rowID, before: undefined, limit: 50 }),
    { sessions: 51, accounts: 51 },
  ],
  [
    'the net position of a player in two days',
    (db) => readNetPosition(db, { playerRowID: KNOWN.busyPlayer.rowID, ...twoDays }),
    // The player has 167 rounds a day; the search for the ids of the days reads a few dozen.
    { rounds: 500, archived_rounds: 100, accounts: 1 },
  ],
  ...MONEY_QUERIES,
  ...REPORT_QUERIES,
  ...STATUS_QUERIES,
  ['a page of games', (db) => listGamePage(db, { limit: 50 }), {}],
  ['a game', (db) => findGameDetail(db, { gameID: 'game-1' }), { rounds: OPEN }],
  [
    'a game at an operator',
    (db) => findGameDetail(db, { gameID: 'game-1', operatorID: 2 }),
    { rounds: OPEN, accounts: OPEN },
  ],
  [
    'the maintenance that is on, with who started it',
    async (db) => {
      await switchMaintenanceOn(db, { scope: 'game', target: 'game-1', level: 'no_new_rounds' });
      await switchMaintenanceOn(db, { scope: 'server', target: '', level: 'no_new_rounds' });
      expect(await readMaintenance(db)).toMatchObject([{ scope: 'server' }, { scope: 'game', target: 'game-1' }]);
    },
    { significant_events: 2 },
  ],
  ['what a game returned', (db) => readModeTotals(db, { game: 'game-1' }), { rounds: OPEN, accounts: OPEN }],
  [
    'the days of a mode',
    (db) => readModeDays(db, { gameVersionID: 4, mode: 'BASE', currency: 'USD', from: '2000-01-01', to: '2100-01-01' }),
    {},
  ],
  [
    'the largest wins of a game',
    (db) => listLargestWins(db, { gameRowID: 1, operatorID: undefined }),
    {
      // Most events are large wins here, so the planner reads the newest ones of all kinds.
      ...{ significant_events: 2 * LARGE_WIN_EVENTS, rounds: LARGE_WIN_EVENTS, archived_rounds: LARGE_WIN_EVENTS },
      ...{ accounts: LARGE_WIN_EVENTS, players: LARGE_WIN_EVENTS },
    },
  ],
  ['a page of operators', (db) => listOperatorPage(db, { limit: 50 }), {}],
  // The number of the operator's events in the log.
  ['who has changed the secrets of an operator', (db) => lastSecretsChange(db, 'acme'), { significant_events: 100 }],
];

/** The planner looks at the ends of some indexes of the tables in a query. */
const LOOKED_AT_BY_PLANNER = 20;

it.each(QUERIES)('%s reads no more than it shows', async (_what, query, most) => {
  const { rows, scanned } = await ledger.rowsRead(query);
  expect(scanned, 'read from end to end').toEqual([]);
  const tooMany = Object.entries(rows).filter(([table, read]) => {
    const allowed = most[table as LargeTable];
    return allowed === undefined || read > allowed + LOOKED_AT_BY_PLANNER;
  });
  expect(tooMany, JSON.stringify(rows)).toEqual([]);
});

it('the database of this file is as large as it says, and a scan of it is seen', async () => {
  const { rows, scanned } = await ledger.rowsRead((db) => db.$queryRaw`SELECT count(mode) FROM rounds`);
  expect({ rows, scanned }).toEqual({ rows: { rounds: ROUNDS }, scanned: ['rounds'] });
  const sizes = await ledger.rowsRead((db) =>
    Promise.all(LARGE_TABLES.map((table) => db.$queryRawUnsafe(`SELECT count(*) FROM ${table}`))),
  );
  expect(Object.keys(sizes.rows).sort()).toEqual([...LARGE_TABLES].sort());
  expect(Math.min(...Object.values(sizes.rows))).toBeGreaterThan(4_000);
});

it('entries of an index that is read alone count, and so do those of a transaction within', async () => {
  const { rows } = await ledger.rowsRead((db) =>
    db.$transaction(
      (tx) => tx.$queryRaw`SELECT count(*) FROM rounds WHERE id > ${KNOWN.round} AND id <= ${KNOWN.round + 100n}`,
    ),
  );
  expect(rows).toEqual({ rounds: 100 });
});

describe('with this number of open rounds', () => {
  const ALL_OPEN = 100_000;

  beforeAll(() =>
    withAdmin(ledger.url, (client) =>
      client.query(`
        SET session_replication_role = replica;
        INSERT INTO rounds (player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros, debit_micros,
          book_id, payout_multiplier, payout_micros, balance_before_micros)
        SELECT a.player_id, g.id, g.id, 1, a.id, 'BASE', 1, 1000000, 1000000, 1, 0, 0, 1000000000
        FROM accounts a CROSS JOIN games g
        WHERE a.kind = 'player' AND NOT EXISTS (SELECT 1 FROM rounds r WHERE r.account_id = a.id AND r.ended_at IS NULL)
        ORDER BY g.id, a.id LIMIT ${ALL_OPEN - OPEN};
        ANALYZE rounds`),
    ),
  );

  it('all metrics read the open rounds and the unsettled transactions, and nothing of the million rounds', async () => {
    const { rows, scanned } = await ledger.rowsRead(async (db) => {
      const reading = createDatabaseReading({ db });
      await expect.poll(reading).toMatchObject({
        openRounds: expect.anything(),
        unsettled: expect.anything(),
        money: expect.anything(),
      });
    });
    expect(scanned).toEqual([]);
    expect(rows.rounds).toBeLessThanOrEqual(ALL_OPEN + UNSETTLED + 100);
    expect(rows.accounts).toBeLessThanOrEqual(ALL_OPEN + UNSETTLED + 100);
    expect(rows.wallet_transactions).toBeLessThanOrEqual(UNSETTLED + 100);
    expect(Object.keys(rows).sort()).toEqual(['accounts', 'rounds', 'wallet_transactions']);
  });

  it('a later reading of the money reads the totals of two days only', async () => {
    const counts: number[] = [];
    await ledger.rowsRead(async (db) => {
      const totals = createMoneyTotals({ findDays: () => findDays(db), sumDays: (days) => sumDays(db, days) });
      for (let reading = 0; reading < 3; reading += 1) {
        const before = await totalsRead(db);
        const read = await totals.read();
        expect(read?.reduce((sum, { rounds: count }) => sum + count, 0n)).toBeGreaterThan(BigInt(ROUNDS));
        counts.push((await totalsRead(db)) - before);
      }
    });
    // Three games with two modes at three operators have 18 totals a day.
    expect(counts[1]).toBeLessThanOrEqual(2 * 18 + 1);
    expect(counts[2]).toBe(counts[1]);
  });

  /** Counts the rows of the table of totals, which is not one of the large tables. */
  async function totalsRead(db: Database): Promise<number> {
    const { rows: found } = await db.pool.query(
      `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS read FROM pg_stat_xact_user_tables WHERE relname = 'game_totals'`,
    );
    return found[0].read;
  }
});

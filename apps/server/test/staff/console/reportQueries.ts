import { followCampaign } from '../../../src/rounds/freeRounds/followCampaign.ts';
import type { Database } from '../../../src/store/database/database.ts';
import { listCampaignHeads } from '../../../src/store/rounds/campaigns.ts';
import { listGrantRows } from '../../../src/store/rounds/grants.ts';
import { listOpenInterruptedRounds } from '../../../src/store/rounds/interruptedRounds.ts';
import { readPerformance } from '../../../src/store/staff/performance.ts';
import { readRevenue, readRevenueTotals } from '../../../src/store/staff/revenue.ts';
import { readModeTotals } from '../../../src/store/watch/gameTotals.ts';
import { KNOWN, OPEN } from '../../support/millionRounds.ts';
import type { LargeTable } from '../../support/rowsRead.ts';

type Line = [what: string, query: (db: Database) => Promise<unknown>, most: Partial<Record<LargeTable, number>>];

const DAY_MS = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const MONTH = { from: dayBefore(30), to: dayBefore(1) };
const ALL_GROUPS = { byDay: true, byOperator: true, byGame: true };
const GRANTS = {
  ...{ operatorID: KNOWN.operatorIDs.big, playerID: undefined, campaignID: undefined, state: undefined },
  ...{ before: undefined, limit: 51 },
};

/** The queries of reports, campaigns and grants. */
export const REPORT_QUERIES: Line[] = [
  ['the revenue of a month', (db) => readRevenue(db, { ...MONTH, groups: ALL_GROUPS, limit: 2001 }), {}],
  ['the sums of the revenue', (db) => readRevenueTotals(db, { ...MONTH, operatorCode: KNOWN.operators.small }), {}],
  // Open rounds have no index by id: each play would pay for it.
  [
    'a page of interrupted rounds',
    (db) => listOpenInterruptedRounds(db, { before: undefined, limit: 51 }),
    { rounds: 2 * OPEN + 200, accounts: 51, sessions: 51, round_events: 51, players: 51 },
  ],
  [
    'the performance of a day',
    (db) => readPerformance(db, { from: MONTH.to, to: MONTH.to }),
    { rounds: 2 * OPEN, accounts: OPEN, sessions: OPEN, round_events: OPEN },
  ],
  ['the RTP of all games', (db) => readModeTotals(db, MONTH), { rounds: OPEN, accounts: OPEN }],
  ['a page of campaigns', (db) => listCampaignHeads(db, { limit: 51 }), {}],
  [
    'a campaign that is followed',
    (db) => followCampaign(db, { operatorID: KNOWN.operatorIDs.big, campaignID: KNOWN.campaign }),
    { grants: 50, accounts: 50 },
  ],
  [
    'a page of grants of a campaign',
    (db) => listGrantRows(db, { ...GRANTS, campaignID: KNOWN.campaign }),
    { grants: 51, accounts: 51, players: 51 },
  ],
  ['a page of grants', (db) => listGrantRows(db, GRANTS), { grants: 51, accounts: 51, players: 51 }],
  [
    'a page of grants of a small operator',
    (db) => listGrantRows(db, { ...GRANTS, operatorID: KNOWN.operatorIDs.small }),
    { grants: 51, accounts: 51, players: 51 },
  ],
  [
    'the grants of a player',
    (db) => listGrantRows(db, { ...GRANTS, playerID: KNOWN.busyPlayer.playerID }),
    { grants: 1, accounts: 3, players: 3 },
  ],
];

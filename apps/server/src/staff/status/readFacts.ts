import os from 'node:os';
import type { OverviewNode } from '@roundhouse/contract/admin';
import type { Database } from '../../store/database/database.ts';
import { findPendingMigrations } from '../../store/database/migrate.ts';
import { listMaintenance, type MaintenanceSwitch } from '../../store/rounds/maintenance.ts';
import {
  countUnsettledByAge,
  listRtpAlarms,
  type RoundCounter,
  readRoundCounter,
  type StoredAlarm,
  type UnsettledGroup,
} from '../../store/staff/overview.ts';
import {
  countAllOpenRounds,
  countWaitingApprovals,
  type DatabaseServer,
  findLastRoundAt,
  listStandbys,
  type OpenRoundAges,
  readDatabaseServer,
  type Standby,
} from '../../store/staff/status.ts';
import { findChainHead } from '../../store/watch/significantEvents.ts';
import { findStartedNodes } from '../../watch/audit/startedNodes.ts';
import { periodsAt } from '../../watch/rtp/rtpCheck.ts';
import { askNode, type NodeFacts } from './askNode.ts';
import { addressesOf, isAsked } from './nodeAddress.ts';
import { MOST_NODES, readNodes } from './readNodes.ts';
import { type Outage, readOutages } from './readOutages.ts';
import { findRegisteredNodes } from './registeredNodes.ts';

/** What our tables say. */
export type Stored = {
  counter: RoundCounter;
  lastRoundAt: Date | null;
  openRounds: OpenRoundAges;
  unsettled: UnsettledGroup[];
  outages: Outage[];
  /** `isCurrent`: the period of the alarm still runs, or has just ended. */
  alarms: (StoredAlarm & { isCurrent: boolean })[];
  /** Nodes that have started and not stopped, and that get no request. */
  notAsked: OverviewNode[];
  events: bigint;
  maintenance: MaintenanceSwitch[];
  waitingApprovals: number;
};

export type DatabaseFacts = {
  server: DatabaseServer;
  standbys: Standby[];
  /** The database lacks these migrations, functions and views. */
  lacks: string[];
  /** It is undefined when the database lacks something: a table may be missing. */
  stored: Stored | undefined;
};

/** What a judgement needs. `database` has an issue when it cannot be read. */
export type Facts = { at: Date; database: DatabaseFacts | { issue: string }; nodes: NodeFacts[] };

const MOST_ALARMS = 100;

type FactsWanted = {
  db: Database;
  /** These nodes get a request; undefined: those that have registered themselves and run. */
  nodes: readonly string[] | undefined;
  /** These get a request when none has, or the database cannot be read. */
  otherwise: readonly string[];
  /** A node that hangs does not delay a look for longer. */
  nodeMs: number;
  /** Says in one line why the database cannot be read. */
  explain: (error: unknown) => string;
};

/** Reads the database and sends requests to the nodes, at the same time. */
export async function readFacts({ db, nodes: given, otherwise, nodeMs, explain }: FactsWanted): Promise<Facts> {
  const registered = given ?? (await findRegisteredNodes(db).catch(() => []));
  const nodes = registered.length > 0 ? registered : (given ?? otherwise);
  const [database, answers] = await Promise.all([
    readDatabase(db, nodes).catch((error: unknown) => ({ issue: explain(error) })),
    Promise.all(nodes.map((url) => askNode(url, nodeMs))),
  ]);
  return { at: new Date(), database, nodes: answers };
}

/** Reads it with short statements, one after the other: it takes one connection. */
async function readDatabase(db: Database, asked: readonly string[]): Promise<DatabaseFacts> {
  const lacks = await findPendingMigrations(db);
  const server = await readDatabaseServer(db);
  const standbys = await listStandbys(db);
  return { server, standbys, lacks, stored: lacks.length > 0 ? undefined : await readStored(db, asked, server.at) };
}

/** `at` is the time of the database. */
export async function readStored(db: Database, asked: readonly string[], at: Date): Promise<Stored> {
  const periods = new Set(periodsAt(at).map(({ name }) => name));
  return {
    counter: await readRoundCounter(db),
    lastRoundAt: await findLastRoundAt(db),
    openRounds: await countAllOpenRounds(db),
    unsettled: await countUnsettledByAge(db),
    outages: await readOutages(db),
    alarms: (await listRtpAlarms(db, MOST_ALARMS)).map((each) => ({ ...each, isCurrent: periods.has(each.period) })),
    notAsked: await readNotAsked(db, asked),
    events: (await findChainHead(db)).seq,
    maintenance: await listMaintenance(db),
    waitingApprovals: await countWaitingApprovals(db),
  };
}

/** If several nodes have started at one address, only the newest can run. */
async function readNotAsked(db: Database, asked: readonly string[]): Promise<OverviewNode[]> {
  const starts = await findStartedNodes(db, MOST_NODES);
  const places = new Set<string>();
  const running = starts.filter((start) => {
    const place = addressesOf(start, os.hostname())[0] ?? start.node;
    const isNewest = !places.has(place);
    places.add(place);
    return isNewest && start.stoppedAt === null && !isAsked(start, asked, os.hostname());
  });
  return running.length === 0 ? [] : readNodes(db, running);
}

/** Counts the wallet transactions of a group of any age. */
export function countOf({ minute, tenMinutes, hour, day, older }: UnsettledGroup): number {
  return minute + tenMinutes + hour + day + older;
}

import type { OverviewNode } from '@roundhouse/contract/admin';
import { findStartedNodes } from '../../evidence/startedNodes.ts';
import type { Database } from '../../ledger/database.ts';
import {
  countOpenRounds,
  countUnsettledByAge,
  type DaySums,
  listRtpAlarms,
  readDays,
  readToday,
  type StoredAlarm,
  type Today,
  type UnsettledGroup,
} from '../../ledger/queries/overview.ts';
import { listEvents } from '../../ledger/queries/significantEvents.ts';

/** What is read of the whole server at once. Each user gets a part of it. */
export type State = Today & {
  days: DaySums[];
  openRounds: { operator: string; count: number }[];
  unsettled: UnsettledGroup[];
  /** The wallet of this operator has failed since then. */
  outages: { operator: string; since: string }[];
  alarms: StoredAlarm[];
  nodes: OverviewNode[];
};

const MOST_ALARMS = 20;
const MOST_NODES = 20;
/** The last events of a kind that are looked at: one node may have several. */
const MOST_EVENTS = 100;

type Reader = Pick<Database, '$queryRaw'>;

/** Reads it with few short statements, one after the other: it takes one connection. */
export async function readState(db: Reader): Promise<State> {
  const today = await readToday(db);
  return {
    ...today,
    days: await readDays(db, [today.day, today.lastWeekDay]),
    openRounds: await countOpenRounds(db),
    unsettled: await countUnsettledByAge(db),
    outages: await readOutages(db),
    alarms: await listRtpAlarms(db, MOST_ALARMS),
    nodes: await readNodes(db),
  };
}

/** A wallet fails while the last event about it is the beginning of an outage. */
export async function readOutages(db: Reader): Promise<State['outages']> {
  const began = await listEvents(db, { kind: 'wallet_outage_began' }, MOST_EVENTS);
  const ended = await listEvents(db, { kind: 'wallet_outage_ended' }, MOST_EVENTS);
  const last = new Map([...began, ...ended].sort(byTime).map((event) => [event.subject, event]));
  return [...last.values()]
    .filter(({ kind }) => kind === 'wallet_outage_began')
    .map(({ subject, at }) => ({ operator: subject.replace(/^operator /, ''), since: at }));
}

/** Returns the last starts, the newest first, with what later events say of the same node. */
export async function readNodes(db: Reader): Promise<OverviewNode[]> {
  const started = await findStartedNodes(db, MOST_NODES);
  const clocks = new Map(
    (await listEvents(db, { kind: 'clock_offset' }, MOST_EVENTS)).map((each) => [each.subject, each]),
  );
  const verified = await listEvents(db, { kind: 'install_verified' }, MOST_EVENTS);
  const mismatched = await listEvents(db, { kind: 'install_mismatch' }, MOST_EVENTS);
  const installs = new Map([...verified, ...mismatched].sort(byTime).map((each) => [each.subject, each]));
  return started.map(({ node, version, startedAt, stoppedAt }) => {
    const clock = clocks.get(`node ${node}`);
    const offset = JSON.parse(clock?.after ?? '{}') as { offsetMs?: number; isTooLarge?: boolean };
    // An installation is of a machine: all nodes on it share it.
    const install = installs.get(`installation of ${node.replace(/#\d+$/, '')}`);
    return {
      ...{ node, version, startedAt, stoppedAt },
      clockOffsetMs: offset.isTooLarge ? (offset.offsetMs ?? null) : null,
      install: install === undefined ? 'unchecked' : install.kind === 'install_verified' ? 'verified' : 'mismatch',
    };
  });
}

function byTime(left: { at: string }, right: { at: string }): number {
  return left.at < right.at ? -1 : 1;
}

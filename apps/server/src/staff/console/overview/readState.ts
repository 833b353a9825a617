import type { OverviewNode } from '@roundhouse/contract/admin';
import type { Database } from '../../../store/database/database.ts';
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
} from '../../../store/staff/overview.ts';
import { readNodes } from '../../status/readNodes.ts';
import { type Outage, readOutages } from '../../status/readOutages.ts';

/** What is read of the whole server at once. Each user gets a part of it. */
export type State = Today & {
  days: DaySums[];
  openRounds: { operator: string; count: number }[];
  unsettled: UnsettledGroup[];
  outages: Outage[];
  alarms: StoredAlarm[];
  nodes: OverviewNode[];
};

const MOST_ALARMS = 20;

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

import { AGE_BUCKETS, type DayTotals, type Overview } from '@roundhouse/contract/admin';
import type { DaySums } from '../../../store/staff/overview.ts';
import type { State } from './readState.ts';

/**
 * Returns the part of the state that a user may see: all of it, or that of one operator. Alarms and
 * nodes are of the whole server.
 */
export function overviewOf(state: State, operator: string | undefined): Omit<Overview, 'playsPerSecond'> {
  const own = <Row extends { operator: string }>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => operator === undefined || row.operator === operator);
  const days = own(state.days);
  const compared = (rows: readonly DaySums[]) => ({
    currency: rows[0]?.currency ?? '',
    today: totalsOf(rows.filter(({ day }) => day === state.day)),
    lastWeek: totalsOf(rows.filter(({ day }) => day === state.lastWeekDay)),
  });
  return {
    at: state.at.toISOString(),
    day: state.day,
    lastWeekDay: state.lastWeekDay,
    openRounds: own(state.openRounds).reduce((sum, { count }) => sum + count, 0),
    operators: groupsOf(days, (row) => `${row.operator} ${row.currency}`).map((rows) => ({
      operator: rows[0]?.operator ?? '',
      ...compared(rows),
    })),
    games: groupsOf(days, (row) => `${row.game} ${row.currency}`).map((rows) => ({
      game: rows[0]?.game ?? '',
      ...compared(rows),
    })),
    unsettled: unsettledOf(own(state.unsettled)),
    failingWallets: failingOf(own(state.unsettled), own(state.outages)),
    rtpAlarms:
      operator !== undefined
        ? null
        : state.alarms.map(({ bets, payouts, rounds, raisedAt, ...alarm }) => ({
            ...alarm,
            rounds: String(rounds),
            rtp: ratio(BigInt(payouts), BigInt(bets)) ?? 0,
            raisedAt: raisedAt.toISOString(),
          })),
    nodes: operator !== undefined ? null : state.nodes,
  };
}

/** Counts completed rounds of today: two readings give the plays between them. */
export function roundsToday({ days, day }: State, operator: string): bigint {
  return days
    .filter((row) => row.operator === operator && row.day === day)
    .reduce((sum, { rounds, freeRounds }) => sum + rounds + freeRounds, 0n);
}

function totalsOf(rows: readonly DaySums[]): DayTotals {
  const sum = (name: 'rounds' | 'bets' | 'payouts' | 'freeRounds' | 'freePayouts') =>
    rows.reduce((total, row) => total + row[name], 0n);
  const [bets, payouts] = [sum('bets'), sum('payouts')];
  return {
    rounds: Number(sum('rounds')),
    bets: String(bets),
    payouts: String(payouts),
    ggr: String(bets - payouts),
    rtp: ratio(payouts, bets),
    freeRounds: Number(sum('freeRounds')),
    freePayouts: String(sum('freePayouts')),
  };
}

const RTP_STEPS = 1_000_000n;

/** Divides exactly, to six decimals. */
function ratio(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((part * RTP_STEPS) / whole) / Number(RTP_STEPS);
}

function unsettledOf(groups: State['unsettled']): Overview['unsettled'] {
  return groupsOf(groups, ({ operator, state }) => `${operator} ${state}`).flatMap((rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    const ages = Object.fromEntries(
      AGE_BUCKETS.map((bucket) => [bucket, rows.reduce((sum, row) => sum + row[bucket], 0)]),
    ) as Overview['unsettled'][number]['ages'];
    const count = AGE_BUCKETS.reduce((sum, bucket) => sum + ages[bucket], 0);
    return [{ operator: first.operator, state: first.state, count, ages }];
  });
}

/** A request without a result does not say that a wallet fails. */
function failingOf(groups: State['unsettled'], outages: State['outages']): Overview['failingWallets'] {
  const failed = groups.filter(({ resultCode }) => resultCode !== null);
  const operators = [...new Set([...failed, ...outages].map(({ operator }) => operator))].sort();
  return operators.map((operator) => ({
    operator,
    outageSince: outages.find((outage) => outage.operator === operator)?.since ?? null,
    results: groupsOf(
      failed.filter((group) => group.operator === operator),
      ({ resultCode }) => resultCode ?? '',
    )
      .map((rows) => ({
        resultCode: rows[0]?.resultCode ?? '',
        count: rows.reduce((sum, row) => sum + AGE_BUCKETS.reduce((all, bucket) => all + row[bucket], 0), 0),
        lastAt: new Date(Math.max(...rows.map((row) => row.lastResultAt?.getTime() ?? 0))).toISOString(),
      }))
      .sort((left, right) => right.count - left.count),
  }));
}

/** Returns the rows of each key, in the order of their first rows. */
function groupsOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

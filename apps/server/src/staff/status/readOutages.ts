import type { Database } from '../../store/database/database.ts';
import { listEvents } from '../../store/watch/significantEvents.ts';

/** The wallet of this operator has failed since then. */
export type Outage = { operator: string; since: string };

/** The last events of a kind that are looked at: one wallet may have several. */
const MOST_EVENTS = 100;

/** A wallet fails while the last event about it is the beginning of an outage. */
export async function readOutages(db: Pick<Database, '$queryRaw'>): Promise<Outage[]> {
  const began = await listEvents(db, { kind: 'wallet_outage_began' }, MOST_EVENTS);
  const ended = await listEvents(db, { kind: 'wallet_outage_ended' }, MOST_EVENTS);
  const byTime = [...began, ...ended].sort((left, right) => (left.at < right.at ? -1 : 1));
  const last = new Map(byTime.map((event) => [event.subject, event]));
  return [...last.values()]
    .filter(({ kind }) => kind === 'wallet_outage_began')
    .map(({ subject, at }) => ({ operator: subject.replace(/^operator /, ''), since: at }));
}

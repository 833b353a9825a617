import { seededRandom } from '@roundhouse/math';
import type { BookEvent } from '../rules/bookEvents.ts';
import { WIN_CAP_HUNDREDTHS } from '../rules/gameRules.ts';
import { inputOf, type Outcome } from './outcomes.ts';
import { playRound } from './round.ts';

type Criteria = 'noWin' | 'lineWin' | 'freeSpins' | 'winCap';

export type Book = {
  readonly id: number;
  readonly payoutMultiplier: number;
  readonly criteria: Criteria;
  readonly events: BookEvent[];
  readonly weight: bigint;
};

/** A generator: all books together take hundreds of megabytes. */
export function* booksOf(outcomes: Iterable<Outcome>): Generator<Book> {
  let id = 0;
  for (const outcome of outcomes) yield bookOf(outcome, ++id);
}

function bookOf({ part, stream, round, payoutMultiplier, weight }: Outcome, id: number): Book {
  const events: BookEvent[] = [];
  const paid = playRound({
    ...inputOf(part),
    random: seededRandom({ stream, round }),
    record: (event) => events.push({ index: events.length, ...event }),
  });
  if (paid !== payoutMultiplier) throw new Error(`round ${round} of stream ${stream} pays ${paid} when played again`);
  return { id, payoutMultiplier, criteria: criteriaOf(events, paid), events, weight };
}

function criteriaOf(events: readonly BookEvent[], paid: number): Criteria {
  if (paid === WIN_CAP_HUNDREDTHS) return 'winCap';
  if (events.some(({ type }) => type === 'freeSpinTrigger')) return 'freeSpins';
  return paid > 0 ? 'lineWin' : 'noWin';
}

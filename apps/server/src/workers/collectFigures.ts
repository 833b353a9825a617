import { setTimeout as wait } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { AllFigures, Figures } from './messages.ts';

/** A worker that does not answer for so long hangs, and without it the sums would be wrong. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Undefined for a worker that has nothing to tell, because it does not serve yet or has ended. */
type AskFigures = () => Promise<Figures | undefined>;

/** Adds up what each worker tells. prom-client's own cluster registry would wait in vain for a worker that is just starting or ending. */
export async function collectFigures(
  workers: readonly AskFigures[],
  { answerTimeoutMs = ANSWER_TIMEOUT_MS } = {},
): Promise<AllFigures> {
  const tooLate = wait(answerTimeoutMs, undefined, { ref: false });
  const told = await Promise.race([Promise.all(workers.map((ask) => ask())), tooLate]);
  if (told === undefined) return { fault: `a worker has not told its figures within ${answerTimeoutMs} ms` };
  const figures = told.filter((each) => each !== undefined);
  return { text: await AggregatorRegistry.aggregate(figures).metrics() };
}

import { AggregatorRegistry } from 'prom-client';
import type { SharedFigures } from '../../http/metrics.ts';
import type { FromWorker, ToWorker } from './messages.ts';

type Waiting = { resolve: (text: string) => void; reject: (error: Error) => void };

/** The figures of all workers, for one of them: it asks the first process, which asks every worker. */
export function createSharedFigures(tell: (message: FromWorker) => void): SharedFigures {
  // Answers the question of the first process from now on.
  new AggregatorRegistry();
  const waiting = new Map<number, Waiting>();
  let lastID = 0;
  const settle = (id: number, how: (asker: Waiting) => void) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (asker !== undefined) how(asker);
  };
  process.on('message', (message: ToWorker) => {
    if (message.type === 'figures') settle(message.id, ({ resolve }) => resolve(message.text));
    if (message.type === 'noFigures') settle(message.id, ({ reject }) => reject(new Error(message.why)));
  });
  return {
    share: (registry) => AggregatorRegistry.setRegistries(registry),
    collect: () =>
      new Promise((resolve, reject) => {
        lastID += 1;
        waiting.set(lastID, { resolve, reject });
        tell({ type: 'figuresWanted', id: lastID });
      }),
  };
}

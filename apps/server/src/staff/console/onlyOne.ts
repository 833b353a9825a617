import { errorResponse } from '../../base/http/responses.ts';
import { actorOf, type Caller } from '../access/caller.ts';
import { linesOf } from './lines.ts';
import type { StreamLine } from './stream.ts';

/** Jobs that load the database, or an operator's wallet: one of a key runs at a time. */
export function createOnlyOne() {
  const running = new Map<string, { by: string; at: string }>();
  return {
    /**
     * Returns the lines of a job; a refusal when one of this key runs. `what` names it in the
     * refusal. A first line that is an error of the request becomes the response.
     */
    async run(
      { key, what, caller }: { key: string; what: string; caller: Caller },
      job: Parameters<typeof linesOf>[0],
    ) {
      const other = running.get(key);
      if (other !== undefined) {
        const { body } = errorResponse('ERR_VAL', `${what} runs already`);
        return { status: 409 as const, body: { ...body, ...other } };
      }
      running.set(key, { by: actorOf(caller), at: new Date().toISOString() });
      const lines = linesOf((emit, signal) => job(emit, signal).finally(() => running.delete(key)));
      const first = await lines.next();
      if (first.done) throw new Error('a stream without a line');
      const line: StreamLine & { error?: string; message?: string } = first.value;
      if (line.kind !== 'error' || line.error !== 'ERR_VAL') return withFirst(line, lines);
      await lines.return(undefined);
      return errorResponse('ERR_VAL', line.message ?? '');
    },
  };
}

async function* withFirst(first: StreamLine, rest: AsyncGenerator<StreamLine>): AsyncGenerator<StreamLine> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

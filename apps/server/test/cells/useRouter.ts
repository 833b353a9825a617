import { OPERATOR_HEADER } from '@roundhouse/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startRouter } from '../../src/router/startRouter.ts';
import { responseOf, type TestResponse } from '../support/testServer.ts';
import { type FakeCell, fleetOfCells, startFakeCell } from './fakeCell.ts';

type Options = { cells: number; trustedProxies?: string[]; cellTimeoutMs?: number; home?: string };

/** A launch router before fake cells, for one test file. Cell 1 is the oldest. */
export function useRouter({ cells: count, trustedProxies, cellTimeoutMs = 60_000, home }: Options) {
  const used = {} as { cells: FakeCell[]; url: string; router: Awaited<ReturnType<typeof startRouter>> };
  const logLines: string[] = [];
  beforeAll(async () => {
    used.cells = await Promise.all(Array.from({ length: count }, (_, at) => startFakeCell(at + 1)));
    const fleet = fleetOfCells(used.cells, [
      { cells: used.cells.map(({ name }) => name), ...(home !== undefined && { home }) },
    ]);
    const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
    used.router = await startRouter({
      ...{ fleet, log, host: '127.0.0.1', port: 0, cellTimeoutMs },
      ...(trustedProxies && { trustedProxies }),
    });
    used.url = used.router.url;
  });
  beforeEach(() => {
    for (const cell of used.cells) cell.forget();
  });
  afterAll(async () => {
    await used.router?.close();
    await Promise.all((used.cells ?? []).map((cell) => cell.close()));
  });
  return {
    ...{ used, logLines },
    cell: (id: number) => used.cells[id - 1] as FakeCell,
    /** How many requests each cell has got, by id. */
    counts: () => used.cells.map(({ received }) => received.length),
    /** Sends a request of the operator acme. */
    async send(
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<TestResponse> {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const init = {
        method,
        headers: { [OPERATOR_HEADER]: 'acme', ...headers },
        ...(text !== undefined && { body: text }),
      };
      return responseOf(await fetch(used.url + path, init as RequestInit));
    },
  };
}

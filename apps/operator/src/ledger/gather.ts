type Options = {
  /** Requests of one call, at most. */
  maxRequests: number;
  /** Calls under way at once: one runs while the other waits for its commit. */
  maxCalls: number;
};

type Waiting<Request, Result> = {
  request: Request;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Gathers requests that arrive together into one call (group commit). While calls are under way the
 * next one fills, so it grows with the load, and a single request does not wait.
 */
export function gather<Request, Result>(
  run: (requests: readonly Request[]) => Promise<readonly Result[]>,
  { maxRequests, maxCalls }: Options,
): (request: Request) => Promise<Result> {
  let waiting: Waiting<Request, Result>[] = [];
  let calls = 0;
  let isDue = false;

  function start(): void {
    isDue = false;
    while (calls < maxCalls && waiting.length > 0) {
      const group = waiting.slice(0, maxRequests);
      waiting = waiting.slice(maxRequests);
      void call(group);
    }
  }

  async function call(group: readonly Waiting<Request, Result>[]): Promise<void> {
    calls += 1;
    try {
      const results = await run(group.map(({ request }) => request));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      calls -= 1;
      start();
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (isDue) return;
      isDue = true;
      // After this turn of the event loop, so that all requests that it reads share a call.
      setImmediate(start);
    });
}

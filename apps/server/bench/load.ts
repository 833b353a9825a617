import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { Client } from 'undici';
import { REQUESTS_OF, type Workload } from './benchGame.ts';
import { serveParent } from './child.ts';

/** One sample of a server, loaded over HTTP from this process. */
export type LoadJob = {
  url: string;
  workload: Workload;
  /** At least one for each connection. */
  sessions: readonly string[];
  connections: number;
  seconds: number;
};

export type LoadResult = {
  /** Units of work that were done, also those that were not measured. */
  units: number;
  perSecond: number;
  /** Of the unit's first request. */
  p50Ms: number;
  p99Ms: number;
  /** Of its second request, the end-round of a round. */
  endRoundP50Ms?: number;
  endRoundP99Ms?: number;
};

type PreparedRequest = Parameters<Client['request']>[0];

/** Each connection does one unit of work after the other, and waits for its responses. */
serveParent<LoadJob, LoadResult>(async (job) => {
  const histograms = REQUESTS_OF[job.workload].map(() => createHistogram());
  const connections = Array.from({ length: job.connections }, (_, index) => ({
    client: new Client(job.url),
    unitsInTurn: unitsInTurn(job, index),
  }));
  try {
    // The first unit of a connection opens it, and the server compiles statements and plans.
    await Promise.all(connections.map(({ client, unitsInTurn }) => runUnit(client, unitsInTurn.next().value)));
    const startedMs = performance.now();
    const endsMs = startedMs + job.seconds * 1000;
    let units = 0;
    await Promise.all(
      connections.map(async ({ client, unitsInTurn }) => {
        while (performance.now() < endsMs) {
          await runUnit(client, unitsInTurn.next().value, histograms);
          units += 1;
        }
      }),
    );
    const perSecond = (units * 1000) / (performance.now() - startedMs);
    const [[p50Ms = 0, p99Ms = 0] = [], endRound] = histograms.map((histogram) =>
      [50, 99].map((percentile) => histogram.percentile(percentile) / 1000),
    );
    const ofEndRound = endRound && { endRoundP50Ms: endRound[0], endRoundP99Ms: endRound[1] };
    return { units: units + connections.length, perSecond, p50Ms, p99Ms, ...ofEndRound };
  } finally {
    await Promise.all(connections.map(({ client }) => client.destroy()));
  }
});

/** The connection's own share of the sessions, so that no player has two requests at once. */
function* unitsInTurn(
  { workload, sessions, connections }: LoadJob,
  index: number,
): Generator<PreparedRequest[], never> {
  const own = sessions.filter((_, session) => session % connections === index);
  const units = own.map((sessionID) =>
    REQUESTS_OF[workload].map(({ path, fields }) => ({
      method: 'POST' as const,
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sessionID, ...fields }),
    })),
  );
  for (;;) yield* units;
}

async function runUnit(
  client: Client,
  requests: readonly PreparedRequest[],
  histograms: readonly RecordableHistogram[] = [],
): Promise<void> {
  for (const [index, request] of requests.entries()) {
    const startedMs = performance.now();
    const { statusCode, body } = await client.request(request);
    if (statusCode !== 200) throw new Error(`${request.path} responded ${statusCode}: ${await body.text()}`);
    await body.dump();
    // In whole microseconds, of which a histogram takes 1 and more.
    histograms[index]?.record(Math.max(1, Math.round((performance.now() - startedMs) * 1000)));
  }
}

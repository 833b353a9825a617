import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../support/roundhouse.ts';
import { useTestServer } from '../../support/testServer.ts';
import { startOtlpReceiver } from './otlpReceiver.ts';
import { startTracedNode, tracingBy } from './tracedServer.ts';

const server = useTestServer();

/** A collector that is not there, and one that takes requests and never responds. */
const COLLECTORS = {
  away: async () => `http://127.0.0.1:${await freePort()}`,
  hanging: async () => {
    const receiver = await startOtlpReceiver({ hangs: true });
    onTestFinished(() => receiver.close());
    return receiver.url;
  },
};

it.each(Object.entries(COLLECTORS))(
  'with a collector that is %s plays go on, and the node ends without waiting for it',
  async (_, open) => {
    const queue = { OTEL_BSP_MAX_QUEUE_SIZE: '16', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4' };
    // An export goes on for longer than this test may.
    const patient = { OTEL_BSP_EXPORT_TIMEOUT: '3600000', OTEL_EXPORTER_OTLP_TIMEOUT: '3600000' };
    const node = await startTracedNode(server, { OTEL_EXPORTER_OTLP_ENDPOINT: await open(), ...queue, ...patient });
    const sessionID = await node.liveSession();
    for (let played = 0; played < 50; played += 1) expect((await node.balance(sessionID)).status).toBe(200);
    expect((await node.play(sessionID)).status).toBe(200);
    await node.close();
  },
);

it('spans that the collector does not take are one warning a minute, with their number', async () => {
  const lines: any[] = [];
  const log = pino(
    {},
    new Writable({
      write: (line, _, done) => {
        lines.push(JSON.parse(line));
        done();
      },
    }),
  );
  const endpoint = await COLLECTORS.away();
  // No export may be retried for longer than this.
  const quick = { OTEL_BSP_SCHEDULE_DELAY: '5', OTEL_EXPORTER_OTLP_TIMEOUT: '100' };
  const tracing = await tracingBy({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...quick }, log);
  const finish = async () => {
    tracing?.request({ method: 'GET', path: '/', headers: {}, isTrusted: () => false })?.end();
    await wait(50);
  };
  await expect
    .poll(async () => {
      await finish();
      return lines.length;
    })
    .toBeGreaterThan(0);
  for (let more = 0; more < 5; more += 1) await finish();
  await tracing?.stop();
  expect(lines).toEqual([expect.objectContaining({ msg: 'spans could not be exported', level: 40, lost: 1 })]);
  expect(lines[0].error).toContain('ECONNREFUSED');
});

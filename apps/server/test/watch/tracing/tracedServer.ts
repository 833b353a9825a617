import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { startTracing } from '../../../src/watch/tracing/startTracing.ts';
import { addSeamlessOperator, SECRET } from '../../support/seamlessServer.ts';
import type { TestServer } from '../../support/testServer.ts';

/** Starts tracing by these variables, which the SDK reads from the process. */
export async function tracingBy(variables: Record<string, string>, log = pino({ level: 'silent' })) {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  Object.assign(process.env, variables);
  try {
    return await startTracing({ log, version: '1.2.3' });
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** The spans leave at once. */
const AT_ONCE = { OTEL_BSP_SCHEDULE_DELAY: '5' };

/** Starts a node of the server that traces. */
export async function startTracedNode(server: TestServer, variables: Record<string, string>, more: object = {}) {
  const tracing = await tracingBy({ ...AT_ONCE, ...variables });
  const node = await server.startNode({ tracing, ...more });
  onTestFinished(() => node.close());
  return node;
}

/**
 * Starts the wallet of a new operator, behind a proxy that keeps the traceparent of each request.
 */
export async function startTracedWallet(server: TestServer, code: string) {
  const wallet = await startFakeWallet({ anyPlayer: true, secret: SECRET });
  const traceparents: { path: string; traceparent: string | undefined }[] = [];
  const forward = async (req: http.IncomingMessage, res: http.ServerResponse) => {
    const body = Buffer.concat(await req.toArray());
    const { host: _host, connection: _connection, ...headers } = req.headers as Record<string, string>;
    traceparents.push({ path: req.url ?? '', traceparent: headers.traceparent });
    const answer = await fetch(wallet.url + req.url, { method: 'POST', headers, body });
    res.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
  };
  // Recovery may still send when the test is over and the wallet is closed.
  const proxy = http.createServer((req, res) => void forward(req, res).catch(() => res.destroy()));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await addSeamlessOperator(server.db, { code, url });
  onTestFinished(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await wallet.close();
  });
  return { wallet, traceparents };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../src/kit/simulator.ts';
import { TINY } from './tiny.ts';

/** Starts a supplier that launches every game, and the simulator that knows it. */
export async function start(options: Partial<SimulatorOptions> = {}) {
  const received: { path: string; body: string }[] = [];
  const supplier = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = String(Buffer.concat(chunks));
    received.push({ path: req.url ?? '', body });
    if (body.includes('unknown')) res.writeHead(404).end('{"error":"game"}');
    else res.end('{"url":"http://game/?session=1"}');
  });
  supplier.listen(0, '127.0.0.1');
  await once(supplier, 'listening');
  const { port } = supplier.address() as AddressInfo;
  const simulator = await startSimulator({
    aggregator: TINY.aggregator,
    supplierUrl: `http://127.0.0.1:${port}/dialects/tiny`,
    ...options,
  });
  onTestFinished(async () => {
    supplier.closeAllConnections();
    supplier.close();
    await simulator.close();
  });
  const control = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const response = await fetch(new URL(`/control/${path}`, simulator.url), {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { id?: string } };
  };
  const move = async (id: string, kind: string, cents: number) => {
    const { token } = JSON.parse(received.find(({ path }) => path.endsWith('/launch'))?.body ?? '{}');
    const response = await fetch(`${simulator.url}/move`, {
      method: 'POST',
      headers: { 'x-password': simulator.world.keys.secret },
      body: JSON.stringify({ id, kind, cents, token, round: '7' }),
    });
    return { status: response.status, body: await response.text() };
  };
  return { simulator, received, control, move };
}

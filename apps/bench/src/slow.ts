import { once } from 'node:events';
import net from 'node:net';
import { serveParent } from './child.ts';
import { headOf, requestsOf } from './connection.ts';

/** `each` is how many clients of each kind come. Without it all leave. */
export type SlowJob = { url: string; sessions: readonly string[]; each?: number };

const BYTE_MS = 3_000;

/** A client sends `first`, then `byte` again and again. Without `byte` it reads nothing either. */
type Kind = { first: string | Buffer; byte?: string };

const clients = new Set<net.Socket>();

// These clients keep connections busy and bring nothing. One that the server closes comes again.
serveParent<SlowJob, object>(async ({ url, sessions, each = 0 }) => {
  const leaving = each === 0 ? [...clients] : [];
  for (const socket of leaving) clients.delete(socket);
  for (const socket of leaving) socket.destroy();
  const head = headOf(url, '/wallet/play');
  for (let index = 0; index < each; index += 1) {
    await come(url, { first: `${head}X-Slow: `, byte: 'x' });
    await come(url, { first: `${head}Content-Length: 10000\r\n\r\n{`, byte: ' ' });
    const [play = ''] = requestsOf({ url, workload: 'play' }, sessions[index % sessions.length] ?? '');
    await come(url, { first: play });
  }
  return {};
});

async function come(url: string, kind: Kind): Promise<void> {
  const { first, byte } = kind;
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  if (byte === undefined) socket.pause();
  else socket.resume();
  await once(socket, 'connect');
  clients.add(socket);
  socket.write(first);
  const timer = setInterval(() => byte !== undefined && socket.write(byte), BYTE_MS);
  socket.once('close', () => {
    clearInterval(timer);
    if (clients.delete(socket)) void come(url, kind).catch(() => {});
  });
}

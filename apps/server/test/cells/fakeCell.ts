import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { candidatesOf, type Fleet, idOf } from '@roundhouse/fleet';

type ReceivedRequest = { method: string; url: string; headers: http.IncomingHttpHeaders; body: string };

/**
 * The header `x-cut` ends the connection in the middle of the body. `x-drip` sends the body byte by
 * byte, without an end.
 */
export type FakeResponse = { status?: number; headers?: Record<string, string>; body?: unknown };

export type FakeCell = Awaited<ReturnType<typeof startFakeCell>>;

/** A real HTTP server that responds as a cell of a fleet does, in the way that the test says. */
export async function startFakeCell(id: number, { version = 1 } = {}) {
  const received: ReceivedRequest[] = [];
  let respond: (request: ReceivedRequest) => FakeResponse | 'never' | 'cut' = () => ({});
  const server = http.createServer(async (req, res) => {
    const pieces: Buffer[] = [];
    for await (const piece of req) pieces.push(piece);
    const { method = '', url = '', headers } = req;
    const request = { method, url, headers, body: Buffer.concat(pieces).toString() };
    received.push(request);
    const response = respond(request);
    if (response === 'never') return;
    if (response === 'cut') return void req.socket.destroy();
    const { status = 200, headers: more = {}, body = { cell: id } } = response;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const all: Record<string, string> = {
      'content-type': 'application/json',
      'roundhouse-fleet': String(version),
      ...more,
    };
    // An empty text leaves a header out.
    const kept = Object.entries(all).filter(([, value]) => value !== '');
    if (more['x-drip'] !== undefined) {
      res.writeHead(status, Object.fromEntries(kept)).write(text.slice(0, 1));
      const dripping = setInterval(() => res.write(' '), 50);
      return void res.once('close', () => clearInterval(dripping));
    }
    if (more['x-cut'] !== undefined) {
      // The head promises more than comes.
      res
        .writeHead(status, { ...Object.fromEntries(kept), 'content-length': 100 })
        .write(text, () => req.socket.destroy());
      return;
    }
    res.writeHead(status, { ...Object.fromEntries(kept), 'content-length': Buffer.byteLength(text) }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ id, name: `eu-${id}`, url: `http://127.0.0.1:${port}`, received },
    /** From now on the cell responds so. */
    answer(next: typeof respond | FakeResponse) {
      respond = typeof next === 'function' ? next : () => next;
    },
    /** Forgets what it has received, and responds with 200 again. */
    forget() {
      received.length = 0;
      respond = () => ({});
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The body and headers with which a cell refuses what another one has. */
export const misdirected = (next: number): FakeResponse => ({
  status: 421,
  headers: { 'roundhouse-cell': String(next) },
  body: { error: 'ERR_VAL', message: `the player is of cell ${next}` },
});

export const unknown: FakeResponse = { status: 404, body: { error: 'ERR_VAL', message: 'there is no such thing' } };

type Placement = Fleet['placements'][number];

/**
 * Returns a fleet of these cells with one placement for every operator, or with other placements.
 */
export function fleetOfCells(
  cells: readonly { id: number; name: string; url: string }[],
  placements?: Placement[],
): Fleet {
  return {
    version: 1,
    cells: cells.map(({ id, name, url }) => ({ name, numbers: [id], url })),
    placements: placements ?? [{ cells: cells.map(({ name }) => name) }],
  };
}

/** Returns a player of acme whose only candidate is this cell. */
export function playerOfCell(fleet: Fleet, id: number): string {
  for (let at = 0; ; at += 1) {
    const playerID = `player-${at}`;
    const [first] = candidatesOf(fleet, { operator: 'acme', playerID });
    if (first !== undefined && idOf(first) === id) return playerID;
  }
}

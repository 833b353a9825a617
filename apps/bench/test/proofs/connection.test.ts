import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../../src/connection.ts';

const REQUEST = Buffer.from('POST / HTTP/1.1\r\n\r\n');

it('a response ends with its last byte, however it is cut into pieces', async () => {
  let pieces: Buffer[] = [];
  const connection = await connectedTo(async (socket) => {
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise(setImmediate);
    }
  });
  const arbitrary = { status: fc.constantFrom(200, 400, 503), body: fc.string(), cuts: fc.array(fc.nat(120)) };
  await fc.assert(
    fc.asyncProperty(fc.record(arbitrary), async ({ status, body, cuts }) => {
      const bytes = Buffer.from(responseOf(status, body));
      const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      const refusal = await connection.send(REQUEST);
      expect(refusal === undefined).toBe(status === 200);
    }),
  );
});

it.each([
  ['more than one response', responseOf(200, '').repeat(2)],
  ['a response without its length', 'HTTP/1.1 200 OK\r\n\r\n'],
])('%s is an error', async (_title, response) => {
  const connection = await connectedTo((socket) => void socket.write(response));
  await expect(connection.send(REQUEST)).rejects.toThrow('not one response');
});

it('a connection that the server closes is an error', async () => {
  const connection = await connectedTo((socket) => void socket.end());
  await expect(connection.send(REQUEST)).rejects.toThrow('closed');
});

function responseOf(status: number, body: string): string {
  return `HTTP/1.1 ${status} Text\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Starts a server that responds to whatever arrives. */
async function connectedTo(respond: (socket: net.Socket) => void) {
  const server = net.createServer({ noDelay: true }, (socket) => void socket.on('data', () => respond(socket)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connection = await openConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    connection.close();
    server.close();
  });
  return connection;
}

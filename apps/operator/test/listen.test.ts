import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Listener, listen } from '../src/listen.ts';

const POLL = { timeout: 60_000 };
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const BIG = Buffer.alloc(20_000_000);

/** A listener whose answers are this, and what has become of them; never an answer when it is left out. */
async function start(answer?: Buffer): Promise<{ listener: Listener; begun: () => number; ended: () => number }> {
  let [begun, ended] = [0, 0];
  const listener = await listen(
    (_req, res) => {
      begun += 1;
      res.once('close', () => {
        ended += 1;
      });
      if (answer !== undefined) res.end(answer);
    },
    { host: '127.0.0.1', port: 0, stalledMs: 500 },
  );
  onTestFinished(() => listener.close());
  return { listener, begun: () => begun, ended: () => ended };
}

async function connect({ port }: Listener): Promise<net.Socket> {
  const socket = net.connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

test('of ten requests on a connection that breaks one has been begun, and its end is told', async () => {
  const { listener, begun, ended } = await start();
  const socket = await connect(listener);
  socket.write(GET.repeat(10));
  await expect.poll(begun, POLL).toBe(1);
  socket.resetAndDestroy();
  await expect.poll(ended, POLL).toBe(1);
  expect(begun()).toBe(1);
});

test('whoever sends ahead without end is cut off', async () => {
  const { listener } = await start();
  const socket = await connect(listener);
  const closed = once(socket.resume(), 'close');
  socket.write(GET.repeat(50));
  await closed;
});

test('requests that were sent ahead are answered one after the other', async () => {
  const { listener } = await start(Buffer.from('here'));
  const socket = await connect(listener);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(GET.repeat(3));
  await expect.poll(() => received.match(/here/g)?.length, POLL).toBe(3);
  socket.destroy();
});

test('a client that stops reading is cut off', async () => {
  const { listener, ended } = await start(BIG);
  const socket = await connect(listener);
  socket.write(GET);
  await once(socket, 'data');
  socket.pause();
  await expect.poll(ended, POLL).toBe(1);
  await once(socket.resume(), 'close');
  expect(socket.bytesRead).toBeLessThan(BIG.length);
});

import { once } from 'node:events';
import net from 'node:net';

/**
 * Stands between a server and its database, and can go silent as a broken network does: nobody is
 * told, nothing arrives.
 */
export type SilentProxy = {
  /** The database's address by way of the proxy. */
  url: string;
  /** From now on nothing arrives, also on connections that are opened meanwhile. */
  silence(): void;
  /** From now on what is asked arrives, and what is answered does not. */
  loseResponses(): void;
  /** New connections work again. Those of before stay silent for good. */
  speak(): void;
  close(): Promise<void>;
};

export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<[net.Socket, net.Socket]>();
  const sockets = new Set<net.Socket>();
  let isSilent = false;
  const proxy = net.createServer((near) => {
    keep(near);
    if (isSilent) return;
    const far = net.connect(Number(target.port || 5432), target.hostname);
    keep(far);
    near.pipe(far).pipe(near);
    pairs.add([near, far]);
  });
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;
  return {
    url: url.href,
    silence() {
      isSilent = true;
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        // What is sent is taken, and goes nowhere.
        near.resume();
        far.resume();
      }
      pairs.clear();
    },
    loseResponses() {
      for (const [near, far] of pairs) far.unpipe(near).resume();
      pairs.clear();
    },
    speak() {
      isSilent = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

import { once } from 'node:events';
import net from 'node:net';

export type CutProxy = Awaited<ReturnType<typeof startCutProxy>>;

/** Stands between a server and its database, and takes the database away. */
export async function startCutProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const proxy = net.createServer((near) => {
    keep(near);
    if (isCut) return near.destroy();
    const far = net.connect(Number(target.port || 5432), target.hostname);
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    /** It is the database's address by way of the proxy. */
    url: url.href,
    /** Ends every connection, and each new one at once, as when the database has stopped. */
    cut() {
      isCut = true;
      endAll();
    },
    /** New connections work again. */
    mend() {
      isCut = false;
    },
    async close() {
      endAll();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

import { once } from 'node:events';
import net from 'node:net';

/** Goes silent as a broken network does: connections stay, and nothing arrives. */
export async function startSilentProxy(databaseUrl: string) {
  let target = new URL(databaseUrl);
  const pairs = new Set<[net.Socket, net.Socket]>();
  const sockets = new Set<net.Socket>();
  let isSilent = false;
  const proxy = net.createServer((near) => {
    keep(near);
    if (isSilent) return;
    const far = net.connect(Number(target.port || 5432), target.hostname);
    keep(far);
    near.pipe(far).pipe(near);
    const pair: [net.Socket, net.Socket] = [near, far];
    pairs.add(pair);
    for (const [socket, other] of [pair, [far, near] as const]) {
      socket.on('close', () => {
        if (pairs.delete(pair)) other.destroy();
      });
    }
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
    /** The database's address by way of the proxy. */
    url: url.href,
    /** From now on nothing arrives, also on connections that are opened meanwhile. */
    silence() {
      isSilent = true;
      for (const [near, far] of pairs) {
        near.unpipe(far).resume();
        far.unpipe(near).resume();
      }
      pairs.clear();
    },
    /** From now on nothing arrives on new connections. Earlier ones work. */
    silenceNew() {
      isSilent = true;
    },
    /** From now on requests arrive, and responses do not. */
    loseResponses() {
      for (const [near, far] of pairs) far.unpipe(near).resume();
      pairs.clear();
    },
    /**
     * From now on requests stay on the way. The returned function lets them arrive, and resolves
     * when the database has ended their connections.
     */
    holdRequests() {
      const held = [...pairs];
      pairs.clear();
      for (const [near, far] of held) near.unpipe(far).pause();
      return async () => {
        const ended = held.map(([near, far]) => {
          if (far.destroyed) return undefined;
          const end = once(far, 'close');
          // The sender is gone.
          far.unpipe(near).resume();
          near.pipe(far);
          return end;
        });
        await Promise.all(ended);
      };
    },
    /** New connections work again. Earlier ones stay silent for good. */
    speak() {
      isSilent = false;
    },
    /** New connections go there from now on. */
    retarget(to: string) {
      target = new URL(to);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

import { once } from 'node:events';
import net from 'node:net';

export type Balancer = Awaited<ReturnType<typeof startBalancer>>;

/**
 * Forwards connections to servers in turn, as a load balancer does: one that refuses the connection
 * is left out. Its address is known before the servers start.
 */
export async function startBalancer() {
  let targets: readonly { url: string }[] = [];
  let turn = 0;
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.setNoDelay().on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = net.createServer(async (near) => {
    keep(near);
    turn += 1;
    for (let attempt = 0; attempt < targets.length; attempt += 1) {
      const { hostname, port } = new URL(targets[(turn + attempt) % targets.length]?.url as string);
      const far = net.connect(Number(port), hostname);
      keep(far);
      if (!(await isConnected(far))) continue;
      near.pipe(far).pipe(near);
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      return;
    }
    near.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    setTargets(servers: readonly { url: string }[]): void {
      targets = servers;
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function isConnected(socket: net.Socket): Promise<boolean> {
  return once(socket, 'connect').then(
    () => true,
    () => false,
  );
}

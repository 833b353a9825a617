import { once } from 'node:events';
import net from 'node:net';

/** Forwards connections, and keeps every byte that the server sends. */
export async function startRecordingProxy(serverUrl: string) {
  const target = new URL(serverUrl);
  const sent: Buffer[] = [];
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const proxy = net.createServer((near) => {
    const far = net.connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) keep(socket);
    far.on('data', (chunk) => void sent.push(chunk));
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`,
    /** Returns what was sent since the last call. */
    take: (): Buffer => Buffer.concat(sent.splice(0)),
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

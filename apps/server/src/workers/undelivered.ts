import type { Worker } from 'node:cluster';

/** A connection on its way to a worker, as node:cluster sends it. */
type Delivery = { cmd?: string; act?: string; seq?: number; ack?: number };
type Connection = { close(): void };

/**
 * Closes the connections that were on their way to a worker when it died. node:cluster itself forgets them open, so whoever lost the worker
 * and came back within the moment until its end is known would wait for an answer for ever.
 */
export function closeUndelivered(worker: Worker): void {
  const undelivered = new Map<number, Connection>();
  const { process: child } = worker;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    const [{ cmd, act, seq }, connection] = args as [Delivery, Connection | undefined];
    const isDelivery = cmd === 'NODE_CLUSTER' && act === 'newconn' && seq !== undefined;
    if (isDelivery && connection) undelivered.set(seq, connection);
    return send(...args);
  };
  child.on('internalMessage', ({ cmd, ack }: Delivery) => {
    if (cmd === 'NODE_CLUSTER' && ack !== undefined) undelivered.delete(ack);
  });
  const close = () => {
    for (const connection of undelivered.values()) connection.close();
  };
  // What it has said of them is read first.
  child.once('exit', () => void (child.connected ? child.once('disconnect', close) : close()));
}

import type { StartedNode } from '../evidence/startedNodes.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

type Start = Pick<StartedNode, 'node' | 'settings'>;

/**
 * Returns the hosts and ports at which a node can be asked, that of its machine first. A node with
 * a port that the system chose has none: the log does not have the port.
 */
export function addressesOf({ node, settings }: Start, thisMachine: string): string[] {
  const port = Number(settings?.port?.value ?? 0);
  if (port === 0) return [];
  const machine = node.replace(/#\d+$/, '');
  const host = String(settings?.host?.value ?? '');
  const hosts = [machine, host.includes(':') ? `[${host}]` : host];
  if (machine === thisMachine) hosts.push(...LOOPBACK);
  // An address of the loopback of another machine leads to another node.
  else if (LOOPBACK.includes(hosts[1] ?? '')) hosts.pop();
  return hosts.filter((each) => each !== '').map((each) => `${each.toLowerCase()}:${port}`);
}

/** Whether one of the asked addresses is one of the node's. */
export function isAsked(start: Start, asked: readonly string[], thisMachine: string): boolean {
  const addresses = new Set(addressesOf(start, thisMachine));
  return asked.some((text) => {
    const { hostname, port, protocol } = new URL(text);
    const effective = port !== '' ? port : protocol === 'https:' ? '443' : '80';
    return addresses.has(`${hostname}:${effective}`);
  });
}

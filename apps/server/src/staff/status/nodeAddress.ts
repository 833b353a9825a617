import { isAnyAddress, isLoopback } from '../../base/address.ts';
import type { StartedNode } from '../../watch/audit/startedNodes.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

type Start = Pick<StartedNode, 'node' | 'settings' | 'listens'>;

/**
 * Returns the hosts and ports at which a node accepts requests, that of its machine first. A node
 * has none when it has registered no address, and its port was one that the system chose.
 */
export function addressesOf(start: Start, thisMachine: string): string[] {
  const { host, port, addresses } = listensOf(start);
  if (port === 0) return [];
  const machine = machineOf(start);
  const hosts = [machine, bracketed(host), ...addresses.map(bracketed)];
  if (machine === thisMachine) hosts.push(...LOOPBACK);
  // A loopback address of another machine leads to another node.
  else if (isLoopback(host)) hosts.splice(1, 1);
  return hosts.filter((each) => each !== '').map((each) => `${each.toLowerCase()}:${port}`);
}

/**
 * Returns the URL for requests from this machine to a node that has registered its address;
 * undefined when it listens for its own machine only, and that is another one.
 */
export function registeredUrlOf(start: Start, thisMachine: string): string | undefined {
  if (start.listens === undefined) return undefined;
  const { host, port, addresses } = start.listens;
  const isHere = machineOf(start) === thisMachine;
  const near = isAnyAddress(host) ? '127.0.0.1' : host;
  const far = isLoopback(host) ? undefined : (addresses[0] ?? machineOf(start));
  const chosen = isHere ? near : far;
  return chosen === undefined ? undefined : `http://${bracketed(chosen)}:${port}`;
}

/** Whether one of these addresses is one of the node's. */
export function isAsked(start: Start, asked: readonly string[], thisMachine: string): boolean {
  const addresses = new Set(addressesOf(start, thisMachine));
  return asked.some((text) => {
    const { hostname, port, protocol } = new URL(text);
    const effective = port !== '' ? port : protocol === 'https:' ? '443' : '80';
    return addresses.has(`${hostname}:${effective}`);
  });
}

/** A node of an earlier version has its settings only. */
function listensOf({ listens, settings }: Start): NonNullable<Start['listens']> {
  if (listens !== undefined) return listens;
  return { host: String(settings?.host?.value ?? ''), port: Number(settings?.port?.value ?? 0), addresses: [] };
}

function machineOf({ node }: Start): string {
  return node.replace(/#\d+$/, '');
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

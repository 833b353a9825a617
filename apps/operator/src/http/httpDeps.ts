import type { FaultSwitch } from '@roundhouse/fault-injection';
import type { Logger } from 'pino';
import type { RgsClient } from '../rgs/rgsClient.ts';
import type { WalletDeps } from '../wallet/session.ts';

/** What the routes work with; operator.ts puts it together. */
export type HttpDeps = CasinoDeps & {
  log: Logger;
  /** Of the wallet's wire. */
  faults: FaultSwitch;
  /** The first signs, all verify. */
  secrets: readonly string[];
  rgsUrl: string;
  /** Origins beside the server's own from which the page may show games. */
  gameOrigins: readonly string[];
  /** Hosts beside the loopback ones under which the lobby may be called. */
  hosts: readonly string[];
  /** Whether the routes of the studio bench exist. */
  bench: boolean;
  /** Where the lobby page is, when it was built. */
  pageFolder: string | undefined;
  streams: OpenStreams;
};

/** Streams that would keep the server from closing. */
export type OpenStreams = Set<() => void>;

/** What the casino around the wallet works with. */
export type CasinoDeps = WalletDeps & {
  rgs: RgsClient;
  operator: { code: string; name: string };
};

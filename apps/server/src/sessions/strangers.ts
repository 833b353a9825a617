import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Overload } from '../ledger/batcher.ts';

/** Counts sessions that nobody here knows, by the address of whoever brings them. Who brings a session that is known is never counted. */
export type Strangers = {
  /** @throws Overload when this address has brought too many within a second. */
  admit(address: string | undefined): Promise<void>;
};

/** Groups of 16 bits that name a subscriber's network: with one address each, one of them would have 2^64. */
const IPV6_NETWORK_BYTES = 8;

export function createStrangers(perSecond: number | undefined): Strangers {
  if (perSecond === undefined) return { admit: async () => {} };
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  return {
    async admit(address = '') {
      await limiter.consume(networkOf(address)).catch(() => {
        throw new Overload('unknown sessions', `one address has brought more than ${perSecond} within a second`);
      });
    },
  };
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.toByteArray().slice(0, IPV6_NETWORK_BYTES).join(':');
}

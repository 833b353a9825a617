import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Overload } from '../ledger/batcher.ts';

/**
 * Limits how many unknown sessions of one address this node verifies with operators. Known sessions
 * and launches do not count.
 */
export type VerificationLimit = {
  /** @throws Overload when this address has brought too many within a second. */
  admit(address: string | undefined): Promise<void>;
};

/**
 * The part of an IPv6 address that names the network of a subscriber, who has 2^64 addresses in it.
 */
const IPV6_NETWORK_BYTES = 8;

export function createVerificationLimit(perSecond: number | undefined): VerificationLimit {
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

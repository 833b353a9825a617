import { Overload } from '@roundhouse/service';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/**
 * Limits what strangers of one address cause in this process: session verifications, or responses to
 * requests without a valid signature. Known sessions, launches and signed requests do not count.
 */
export type AddressLimit = {
  /** @throws Overload when this address has brought too many within a second. */
  admit(address: string | undefined): Promise<void>;
};

/** This part of an IPv6 address names the network of a subscriber, who has 2^64 addresses in it. */
const IPV6_NETWORK_BYTES = 8;

/** `what` is the name of the Overload; undefined: there is no limit. */
export function createAddressLimit(what: string, perSecond: number | undefined): AddressLimit {
  if (perSecond === undefined) return { admit: async () => {} };
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  return {
    async admit(address = '') {
      await limiter.consume(networkOf(address)).catch(() => {
        throw new Overload(what, `one address has brought more than ${perSecond} within a second`);
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

import { Overload } from '@roundhouse/service';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { networkOf } from '../../base/networkOf.ts';

/**
 * Limits what strangers at one address cause in this process: session verifications, or responses
 * to requests without a valid signature. Known sessions, launches and signed requests do not count.
 */
export type AddressLimit = {
  /** @throws Overload when this address has sent too many within a second. */
  admit(address: string | undefined): Promise<void>;
};

/** `what` is the name of the Overload. Without `perSecond` there is no limit. */
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

import { currencyFacts, type LaunchSettings } from '@roundhouse/contract/light';
import type { ClientState } from './client/clientTypes.ts';

type SocialFacts = {
  launch: Pick<LaunchSettings, 'social' | 'currency'>;
  state: Partial<Pick<ClientState, 'config' | 'balance'>>;
};

/**
 * Returns whether a page shows no words and no signs of money, because the launch URL, the
 * jurisdiction or the currency says so. Takes a client. Ask again after authenticate, which brings
 * the jurisdiction.
 */
export function isSocial({ launch, state: { config, balance } }: SocialFacts): boolean {
  if (launch.social || config?.jurisdiction.socialCasino) return true;
  const currency = balance?.currency ?? launch.currency;
  return currency !== undefined && currencyFacts(currency).kind === 'social';
}

import type { RgsClient } from '../rgs/rgsClient.ts';
import type { WalletParts } from '../wallet/walletParts.ts';

/** What the casino around the wallet works with. */
export type CasinoParts = WalletParts & {
  rgs: RgsClient;
  operator: { code: string; name: string };
};

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { walletCurrencies, walletCurrenciesSchema } from '../money.ts';
import { signaturesOf } from './signature.ts';

/** Amounts are whole numbers of 10^-5 units: 3.56 EUR is 356000. */
const DECIMALS = 5;

const keySchema = (read: (pem: string) => KeyObject) =>
  z.string().refine((pem) => {
    try {
      return (read(pem).asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
    } catch {
      return false;
    }
  }, 'must be an RSA key of at least 2048 bits, as PEM text');

/** docs/dialects/hub88.md explains each key. */
export const settingsSchema = z.strictObject({
  operatorIDs: z.array(z.union([z.int(), z.string().regex(/^[^/]{1,32}$/)])).min(1),
  privateKey: keySchema(createPrivateKey),
  /** Each of them verifies, so that Hub88 can change its key. */
  hub88PublicKeys: z.array(keySchema(createPublicKey)).min(1).max(4),
  product: z.string().min(1).max(64).default('Roundhouse'),
  demoCurrency: z.string().default('EUR'),
  currencies: walletCurrenciesSchema.default({}),
});
export type Settings = z.output<typeof settingsSchema>;

/** The settings of one operator, as both directions use them. */
export type Connection = ReturnType<typeof connectionOf>;

export function connectionOf(settings: Settings, code: string) {
  return {
    code,
    settings,
    ...walletCurrencies(settings.currencies, () => DECIMALS),
    ...signaturesOf(settings),
    operatorIDs: settings.operatorIDs.map(String),
    /** Our name of a player is `<operator_id>/<user>`. */
    userOf: (playerID: string) => playerID.slice(playerID.indexOf('/') + 1),
  };
}

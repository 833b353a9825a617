import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { currencySchema } from '@roundhouse/contract';
import * as z from 'zod';
import { knownCurrencies, walletCurrenciesSchema } from '../money.ts';
import { signaturesOf } from './signature.ts';

/** Amounts are whole micros. */
const DECIMALS = 6;

const keySchema = (read: (pem: string) => KeyObject, kind: 'PRIVATE' | 'PUBLIC') =>
  z.string().refine((pem) => {
    try {
      return pem.includes(`BEGIN ${kind} KEY`) && read(pem).asymmetricKeyType === 'ed25519';
    } catch {
      return false;
    }
  }, `must be a ${kind.toLowerCase()} Ed25519 key, as PEM text`);

/** docs/dialects/engine.md explains each key. */
export const settingsSchema = z.strictObject({
  operator: z.string().regex(/^[\x21-\x7e]{1,128}$/),
  privateKey: keySchema(createPrivateKey, 'PRIVATE'),
  /** Each of them verifies, so that the operator can change its key. */
  operatorPublicKeys: z.array(keySchema(createPublicKey, 'PUBLIC')).min(1).max(4),
  teamID: z.int().min(0).default(1),
  publisher: z.string().min(1).max(64).default('Roundhouse'),
  demoCurrency: currencySchema.default('USD'),
  /** wallet-check requests it; the server does not. */
  healthPath: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]+)+$/)
    .optional(),
  currencies: walletCurrenciesSchema.default({}),
});
export type Settings = z.output<typeof settingsSchema>;

/** The settings of one operator, as both directions use them. */
export type Connection = ReturnType<typeof connectionOf>;

export function connectionOf(settings: Settings) {
  const prefix = `${settings.teamID}_`;
  return {
    settings,
    ...knownCurrencies(settings.currencies, () => DECIMALS),
    ...signaturesOf(settings),
    gameTheirs: (gameID: string) => `${prefix}${gameID}`,
    /** Undefined: it is of another team. */
    gameOurs: (game: string) => (game.startsWith(prefix) ? game.slice(prefix.length) : undefined),
  };
}

import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Dialect } from '../dialect.ts';
import { walletCurrencies, walletCurrenciesSchema } from '../money.ts';
import { rewardRoutes } from './freeRounds.ts';
import { gameRoutes } from './launch.ts';
import { receiver } from './receive.ts';
import { send } from './send.ts';

const MS_PER_MINUTE = 60_000;
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

/** docs/dialects/hub88.md explains each. */
const settings = z.strictObject({
  operatorIDs: z.array(z.union([z.int(), z.string().regex(/^[^/]{1,32}$/)])).min(1),
  privateKey: keySchema(createPrivateKey),
  /** Each of them verifies, so that Hub88 can change its key. */
  hub88PublicKeys: z.array(keySchema(createPublicKey)).min(1).max(4),
  product: z.string().min(1).max(64).default('Roundhouse'),
  demoCurrency: z.string().default('EUR'),
  currencies: walletCurrenciesSchema.default({}),
});

/** The supplier's side of Hub88: docs/dialects/hub88.md. */
export const hub88: Dialect<z.output<typeof settings>> = {
  traits: {
    closesWithDebit: true,
    groupsClosings: false,
    unknownDebitAfterMs: 5 * MS_PER_MINUTE,
    rollbackAfterMs: 0,
    retryMs: 72 * 60 * MS_PER_MINUTE,
    settlesWithoutSession: true,
    completesRounds: true,
    freeRounds: 'each_round',
  },
  settings,
  connect({ code, settings }) {
    const currencies = walletCurrencies(settings.currencies, () => DECIMALS);
    const privateKey = createPrivateKey(settings.privateKey);
    const publicKeys = settings.hub88PublicKeys.map((pem) => createPublicKey(pem));
    const signatureOf = async (body: string) =>
      (await signed('sha256', Buffer.from(body), privateKey)).toString('base64');
    // A signature has the length of its key: anything else costs no arithmetic.
    const isSigned = (body: Buffer, signature: Buffer) =>
      publicKeys.some((key) => signature.length === bytesOf(key) && verify('sha256', body, key, signature));
    return {
      unitOf: (currency) => currencies.ours(currency).scale.unit,
      send: (call, post) => send({ currencies, signatureOf }, call, post),
      receive: receiver({ code, settings, currencies, isSigned }, { ...gameRoutes, ...rewardRoutes }),
    };
  },
};

function bytesOf({ asymmetricKeyDetails }: KeyObject): number {
  return Math.ceil((asymmetricKeyDetails?.modulusLength ?? 0) / 8);
}

/** A signature takes about a millisecond, which the thread that serves requests does not have. */
const signed = promisify(sign);

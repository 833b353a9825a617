import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Post } from './dialect.ts';
import { AGGREGATOR_NAMES, type AggregatorName, connectDialect } from './dialects.ts';
import type { WalletCall } from './walletCall.ts';

// docs/wallet-protocol.md, "Balances": a player may owe the operator, and a sign decides nothing.

const PEM = {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
} as const;
const keys = generateKeyPairSync('rsa', { modulusLength: 2048, ...PEM });
const ed25519 = generateKeyPairSync('ed25519', PEM);
const OWED = -12_340_000;
const IDS = { transactionID: '0d6f0c3e-6c1b-4a58-9a2e-5b1a7f0e0001', roundID: '7' };
const PLAYER = { sessionID: 's', playerID: '10/7', gameID: 'g', currency: 'EUR' };
const CALLS = [
  { name: 'balance', body: PLAYER },
  { name: 'debit', body: { ...PLAYER, ...IDS, amount: 1_000_000, mode: 'BASE' } },
].map((call) => ({ ...call, context: { token: '{"partnerid":10,"channel":"web","sessionid":1}' } })) as WalletCall[];

/** What each wallet responds, in its own words, to a request of which it has moved the money. */
const RESPONSES: Readonly<Record<AggregatorName, (sent: string) => object>> = {
  engine: () => ({ debit_id: 'd', balance: { amount: OWED, currency: 'EUR' } }),
  hub88: (sent) => ({
    ...{ status: 'RS_OK', currency: 'EUR', balance: -1_234_000 },
    request_uuid: JSON.parse(sent).request_uuid,
  }),
  softswiss: (sent) => {
    const { round_id, transactions = [] } = JSON.parse(sent);
    return { balance: '-12.34', round_id, transactions };
  },
  pragmatic: () => ({ error: 0, cash: -12.34, bonus: 0, currency: 'EUR' }),
  relax: () => ({ balance: -1234, currency: 'EUR' }),
  slotegrator: () => ({ balance: -12.34, transaction_id: 't' }),
  onewallet: (sent) => ({ status: 'OK', balance: -12.34, uuid: JSON.parse(sent).uuid }),
};

it.each(AGGREGATOR_NAMES.flatMap((dialect) => CALLS.map((call) => [dialect, call.name, call] as const)))(
  '%s: a %s that leaves a debt is a success, with the debt',
  async (dialect, _name, call) => {
    const post: Post = async ({ body }) =>
      ({
        ...{ kind: 'responded', httpStatus: 200 },
        text: JSON.stringify(RESPONSES[dialect](body)),
      }) as Awaited<ReturnType<Post>>;
    const connection = connectDialect({ code: 'acme', dialect, settings: settingsOf(dialect), secrets: [] });
    expect(await connection.send(call, post)).toMatchObject({ kind: 'accepted', body: { balance: OWED } });
  },
);

function settingsOf(dialect: AggregatorName): unknown {
  const { privateKey, publicKey } = keys;
  const settings: Record<AggregatorName, object> = {
    engine: { operator: 'acme', privateKey: ed25519.privateKey, operatorPublicKeys: [ed25519.publicKey] },
    hub88: { operatorIDs: [10], privateKey, hub88PublicKeys: [publicKey] },
    softswiss: { casinos: [{ id: 'casino', token: 'token' }] },
    pragmatic: { secureLogin: 'login', secret: 'a secret', providerId: 'studio' },
    relax: { partners: [10], user: 'u', password: 'p', gameref: 'rlx.platform.studio.{game}' },
    slotegrator: { merchantID: 'merchant', merchantKey: 'a key of the merchant' },
    onewallet: { casinoKey: 'casino', apiToken: 'a-token-of-launches', authToken: 'token' },
  };
  return settings[dialect];
}

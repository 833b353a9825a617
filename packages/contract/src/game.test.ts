import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { demoPlayRequestSchema } from './demo.ts';
import { forceNextRequestSchema, searchBookRequestSchema, startSessionRequestSchema } from './dev.ts';
import {
  configuredCurrencySchema,
  idempotencyKeySchema,
  jurisdictionSchema,
  microsSchema,
  partialJurisdictionSchema,
  positiveMicrosSchema,
  unsignedMicrosSchema,
} from './fields.ts';
import {
  authenticateRequestSchema,
  authenticateResponseSchema,
  balanceSchema,
  eventRequestSchema,
  playRequestSchema,
  playResponseSchema,
  type Round,
  roundSchema,
} from './game.ts';
import {
  DEFAULT_JURISDICTION,
  isJurisdictionNumber,
  mergeJurisdictionRules,
  mergeJurisdictions,
} from './jurisdiction.ts';
import { isRound } from './light.ts';
import { nearestMicros } from './money.ts';
import { errorBodySchema } from './refusals.ts';

const play = { sessionID: 's', amount: 1_000_000, mode: 'base' };
const balance = { amount: 1_000_000, currency: 'USD' };
const round: Round = {
  betID: 1,
  amount: 1_000_000,
  payout: 0,
  payoutMultiplier: 0,
  costMultiplier: 1,
  active: true,
  mode: 'BASE',
  event: null,
  state: [{ index: 0, type: 'reveal' }, 'anything', null],
};

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('a request', () => {
  it('loses the fields that are not known, and keeps the rest', () => {
    const sent = JSON.parse(
      '{"sessionID":"s","amount":1000000,"mode":"base","language":"en","meta":{},"__proto__":{"a":1}}',
    );
    expect(playRequestSchema.parse(sent)).toEqual(play);
    expect(Object.getPrototypeOf(playRequestSchema.parse(sent))).toBe(Object.prototype);
  });

  it.each([null, [], 'text', 1, undefined, [play]])('is an object, not %j', (body) => {
    expect(accepts(playRequestSchema, body)).toBe(false);
  });

  it.each([undefined, null, '', 5, {}, ['s'], 'x'.repeat(257), '😀'.repeat(257)])(
    'has a sessionID, not %j',
    (sessionID) => {
      expect(accepts(authenticateRequestSchema, { sessionID })).toBe(false);
    },
  );

  it.each(['s', 'x'.repeat(256), '😀'.repeat(256), 'acme:0f'])('takes the sessionID %j', (sessionID) => {
    expect(accepts(authenticateRequestSchema, { sessionID })).toBe(true);
  });

  it.each(['1', '1.0.0 sdk/0.1.0', 'x'.repeat(128), '😀'.repeat(128)])(
    'takes the client version %j',
    (clientVersion) => {
      expect(authenticateRequestSchema.parse({ sessionID: 's', clientVersion })).toEqual({
        sessionID: 's',
        clientVersion,
      });
    },
  );

  it.each([null, '', 1, {}, 'x'.repeat(129), 'a\u0000b', '\ud800'])(
    'refuses the client version %j',
    (clientVersion) => {
      expect(accepts(authenticateRequestSchema, { sessionID: 's', clientVersion })).toBe(false);
    },
  );
});

describe('the amount of a play', () => {
  it.each([1, 1_000_000, Number.MAX_SAFE_INTEGER])('takes %d', (amount) => {
    expect(playRequestSchema.parse({ ...play, amount }).amount).toBe(amount);
  });

  it.each([
    0,
    -0,
    -1,
    1_000_000.5,
    '1000000',
    1e300,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    2 ** 53,
    null,
    true,
    [1],
    undefined,
  ])('refuses %s', (amount) => expect(accepts(playRequestSchema, { ...play, amount })).toBe(false));

  it('is a positive safe integer, or a double that means one, and every one of them', () => {
    const property = fc.property(fc.oneof(fc.double(), fc.maxSafeInteger()), (amount) => {
      const means = nearestMicros(amount);
      const parsed = playRequestSchema.safeParse({ ...play, amount });
      expect(parsed.data?.amount).toBe(means !== undefined && means > 0 ? means : undefined);
    });
    fc.assert(property);
  });
});

describe('every amount that a client of the game protocol sends', () => {
  const demo = { game: 'g', version: '1', currency: 'USD', mode: 'base' };
  const FIELDS: [path: string, schema: z.ZodType, bodyOf: (amount: unknown) => object][] = [
    ['amount of play', playRequestSchema, (amount) => ({ ...play, amount })],
    ['amount of a play for fun', demoPlayRequestSchema, (amount) => ({ ...demo, amount })],
    ['balance of a test player', startSessionRequestSchema, (balance) => ({ balance })],
    ['setBalance of a test player', startSessionRequestSchema, (setBalance) => ({ setBalance })],
  ];

  it.each(FIELDS)('may be a double that means whole micros: %s', (_field, schema, bodyOf) => {
    expect(schema.parse(bodyOf(4_099_999.9999999995))).toEqual(schema.parse(bodyOf(4_100_000)));
    const { error } = schema.safeParse(bodyOf(4_100_000.4));
    expect(error?.issues).toMatchObject([{ message: 'must be a whole number of micros, not 4100000.4' }]);
    expect(Object.keys(bodyOf(0))).toContain(error?.issues[0]?.path.join('.'));
  });

  it('is whole in the protocols of operators and wallets', () => {
    for (const amount of [4_099_999.9999999995, 1_000_000.0000001])
      for (const schema of [microsSchema, positiveMicrosSchema, unsignedMicrosSchema])
        expect(accepts(schema, amount)).toBe(false);
  });
});

it.each(['', 'x'.repeat(65), 5, null, undefined])('a mode is a text of 1 to 64 characters, not %j', (mode) => {
  expect(accepts(playRequestSchema, { ...play, mode })).toBe(false);
});

describe('an event', () => {
  it.each(['x', 'x'.repeat(8192), 'é'.repeat(4096), '漢'.repeat(2730), '😀'.repeat(2048), '{"picked":3}\n'])(
    'can be %j',
    (event) => {
      expect(eventRequestSchema.parse({ sessionID: 's', event }).event).toBe(event);
    },
  );

  it.each([
    ...['', 'x'.repeat(8193), 'é'.repeat(4097), '漢'.repeat(2731), '😀'.repeat(2049), 'a\u0000', '\uD83D'],
    ...[5, null, { picked: 3 }],
  ])('cannot be %j', (event) => {
    expect(accepts(eventRequestSchema, { sessionID: 's', event })).toBe(false);
  });
});

it('an Idempotency-Key is left out or has 1 to 128 characters', () => {
  for (const key of [undefined, 'k', 'k'.repeat(128)]) expect(accepts(idempotencyKeySchema, key)).toBe(true);
  for (const key of ['', 'k'.repeat(129), ['a', 'b']]) expect(accepts(idempotencyKeySchema, key)).toBe(false);
});

describe('a response', () => {
  const config = {
    gameID: 'lines',
    minBet: 100_000,
    maxBet: 1_000_000,
    stepBet: 100_000,
    defaultBetLevel: 100_000,
    betLevels: [],
    betModes: { BASE: { mode: 'BASE', costMultiplier: 1, feature: false } },
    jurisdiction: DEFAULT_JURISDICTION,
  };

  it('of authenticate has a round or an empty object', () => {
    const withRound = authenticateResponseSchema.parse({ balance, config, round, meta: null });
    expect(withRound.round).toEqual(round);
    expect(isRound(withRound.round)).toBe(true);
    const without = authenticateResponseSchema.parse({ balance, config, round: {}, meta: null });
    expect(without.round).toEqual({});
    expect(isRound(without.round)).toBe(false);
    expect(accepts(authenticateResponseSchema, { balance, config, round: { betID: 1 }, meta: null })).toBe(false);
    expect(accepts(authenticateResponseSchema, { balance, config, round: null, meta: null })).toBe(false);
  });

  it('of play has a whole round', () => {
    expect(accepts(playResponseSchema, { balance, round })).toBe(true);
    expect(accepts(playResponseSchema, { balance, round: {} })).toBe(false);
  });

  it('keeps the state as it is', () => expect(roundSchema.parse(round).state).toEqual(round.state));

  it('has amounts in the range, and a currency that looks like one', () => {
    expect(accepts(balanceSchema, { amount: -9_007_199_254_740_991, currency: 'XSC' })).toBe(true);
    for (const amount of [0.5, 2 ** 53, '1', null])
      expect(accepts(balanceSchema, { amount, currency: 'USD' })).toBe(false);
    for (const currency of ['usd', 'US', '']) expect(accepts(balanceSchema, { amount: 1, currency })).toBe(false);
  });

  it('of a refusal has a known code and a message', () => {
    expect(accepts(errorBodySchema, { error: 'ERR_IPB', message: 'not enough' })).toBe(true);
    expect(accepts(errorBodySchema, { error: 'ERR_DUP', message: '' })).toBe(false);
    expect(accepts(errorBodySchema, { error: 'ERR_IPB' })).toBe(false);
  });
});

describe('a jurisdiction', () => {
  it('has all of its fields', () => {
    expect(Object.keys(DEFAULT_JURISDICTION)).toEqual(Object.keys(jurisdictionSchema.shape));
    expect(jurisdictionSchema.parse(DEFAULT_JURISDICTION)).toEqual(DEFAULT_JURISDICTION);
    for (const name of Object.keys(DEFAULT_JURISDICTION)) {
      expect(accepts(jurisdictionSchema, { ...DEFAULT_JURISDICTION, [name]: undefined })).toBe(false);
    }
  });

  it.each([
    ['minimumRoundDuration', 3_600_000],
    ['realityCheckInterval', 86_400_000],
    ['idleTimeout', 86_400_000],
    ['maximumAutoplayRounds', 10_000],
  ] as const)('has %s as a whole number, up to %i', (name, max) => {
    const withNumber = (value: unknown) => ({ ...DEFAULT_JURISDICTION, [name]: value });
    for (const good of [0, 2500, max]) {
      expect(accepts(jurisdictionSchema, withNumber(good)), `${good}`).toBe(true);
      expect(isJurisdictionNumber(name, good), `${good}`).toBe(true);
    }
    for (const bad of [-1, 0.5, max + 1, '2500', null]) {
      expect(accepts(jurisdictionSchema, withNumber(bad)), `${bad}`).toBe(false);
      expect(isJurisdictionNumber(name, bad), `${bad}`).toBe(false);
    }
  });

  it('is put together from layers, of which later ones win', () => {
    const game = partialJurisdictionSchema.parse({ disabledTurbo: true, displayRTP: true });
    const operator = partialJurisdictionSchema.parse({ disabledTurbo: false, minimumRoundDuration: 2500 });
    expect(mergeJurisdictions()).toEqual(DEFAULT_JURISDICTION);
    expect(mergeJurisdictions(game, operator, { displayRTP: undefined })).toEqual({
      ...DEFAULT_JURISDICTION,
      displayRTP: true,
      minimumRoundDuration: 2500,
    });
  });

  it('has rules for the server alone: of stakes the lowest wins, of the others the later one', () => {
    const game = partialJurisdictionSchema.parse({ maxStake: { EUR: 4, USD: 3 }, minimumRTP: 85 });
    const operator = partialJurisdictionSchema.parse({ maxStake: { USD: 5 }, completeRoundsAfterHours: 24 });
    const session = { minimumRTP: 90, completeRoundsAfterHours: 0 };
    expect(mergeJurisdictions(game, operator)).toEqual(DEFAULT_JURISDICTION);
    expect(mergeJurisdictionRules('USD', game, operator, session)).toEqual({ maxStake: 3, ...session });
    expect(mergeJurisdictionRules('DKK', game, operator)).toEqual({
      maxStake: undefined,
      minimumRTP: 85,
      completeRoundsAfterHours: 24,
    });
  });

  it.each([
    { maxStake: { GBP: -1 } },
    { maxStake: { GBP: 1.5 } },
    { maxStake: { pounds: 2_000_000 } },
    { maxStake: 2_000_000 },
    { minimumRTP: 100.01 },
    { minimumRTP: 85.123 },
    { completeRoundsAfterHours: 0.5 },
    { completeRoundsAfterHours: 8761 },
  ])('has no rule %j', (rule) => expect(accepts(partialJurisdictionSchema, rule)).toBe(false));
});

describe('a currency of the server', () => {
  const btc = { code: 'BTC', kind: 'regular', symbol: '₿', decimals: 8, symbolSide: 'before', wireUnitsPerUnit: 100 };

  it('has a code, a symbol, a side, and decimals that a micro has', () => {
    expect(accepts(configuredCurrencySchema, btc)).toBe(true);
    expect(accepts(configuredCurrencySchema, { ...btc, wireUnitsPerUnit: undefined, decimals: 6 })).toBe(true);
  });

  it.each([
    { code: 'btc' },
    { kind: 'crypto' },
    { symbol: '1B' },
    { symbol: 'a b' },
    { symbol: '' },
    { decimals: 9 },
    { wireUnitsPerUnit: 10 },
    { wireUnitsPerUnit: 200 },
    { wireUnitsPerUnit: 1_000_000_000 },
    { symbolSide: 'left' },
  ])('has not %j', (change) => expect(accepts(configuredCurrencySchema, { ...btc, ...change })).toBe(false));
});

describe('the requests for local work', () => {
  it('start a session from nothing', () => {
    expect(startSessionRequestSchema.parse({})).toEqual({});
  });

  it.each([
    { balance: -1 },
    { setBalance: 0.5 },
    { currency: 'gbp' },
    { country: 'FIN' },
    { token: '\u0000' },
    { social: 'yes' },
  ])('refuse %j', (body) => expect(accepts(startSessionRequestSchema, body)).toBe(false));

  it('take a book id as a number or as digits', () => {
    expect(searchBookRequestSchema.parse({ mode: 'base', search: { bookID: '17' } }).search.bookID).toBe(17);
    expect(forceNextRequestSchema.parse({ sessionID: 's', bookID: 0 }).bookID).toBe(0);
    for (const bookID of [-1, 0.5, '', '-1', 'x', '1e3', '9'.repeat(16), null, true]) {
      expect(accepts(forceNextRequestSchema, { sessionID: 's', bookID })).toBe(false);
    }
  });
});

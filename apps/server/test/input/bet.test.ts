import { describe, expect, test } from 'vitest';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import {
  type ExactRefusal,
  invalid,
  MODE_LENGTH,
  NOT_JSON,
  ROUND_ACTIVE,
  TOO_POOR,
  UNKNOWN_MODE,
  wrongType,
} from '../support/exactRefusals.ts';
import { expectRefusedExactly } from '../support/expectExactly.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { useGoodCalls } from '../support/goodCalls.ts';

const server = useCheckedServer();
const calls = useGoodCalls(server);

const NOT_POSITIVE = invalid('amount: Too small: expected number to be >=1');
const NOT_WHOLE = wrongType('amount', 'int', 'number');
/** A double would round it to the amount that it is not. */
const NOT_WHOLE_AS_WRITTEN = invalid('a number in the body is not whole as it is written');
const OUT_OF_RANGE = invalid('amount: Too big: expected int to be <=9007199254740991');
const notNumber = (received: string) => wrongType('amount', 'number', received);
const belowMinimum = (minBet: number) => invalid(`the bet is below the minimum of ${minBet}`);
const aboveMaximum = (maxBet: number) => invalid(`the bet is above the maximum of ${maxBet}`);
const offStep = (stepBet: number) => invalid(`the bet is not divisible by ${stepBet}`);

describe('the amount', () => {
  test.each<[string, ExactRefusal]>([
    ['0', NOT_POSITIVE],
    ['-0', NOT_POSITIVE],
    ['0.0', NOT_POSITIVE],
    ['-1', NOT_POSITIVE],
    ['-1000000', NOT_POSITIVE],
    ['1000000.5', NOT_WHOLE],
    ['0.5', NOT_WHOLE],
    ['1e-400', NOT_WHOLE_AS_WRITTEN],
    ['1000000.00000000001', NOT_WHOLE_AS_WRITTEN],
    ['999999.99999999999', NOT_WHOLE_AS_WRITTEN],
    ['1e-7', NOT_WHOLE],
    ['"1000000"', notNumber('string')],
    ['""', notNumber('string')],
    ['1e300', OUT_OF_RANGE],
    ['-1e300', invalid('amount: Too small: expected int to be >=-9007199254740991')],
    ['1e400', notNumber('Infinity')],
    ['-1e400', notNumber('-Infinity')],
    ['9007199254740992', OUT_OF_RANGE],
    ['9007199254740993', OUT_OF_RANGE],
    ['18446744073709551616', OUT_OF_RANGE],
    ['NaN', NOT_JSON],
    ['Infinity', NOT_JSON],
    ['1000000n', NOT_JSON],
    ['01000000', NOT_JSON],
    ['+1000000', NOT_JSON],
    ['1_000_000', NOT_JSON],
    ['0x0f4240', NOT_JSON],
    ['1000000.', NOT_JSON],
    ['null', notNumber('null')],
    ['[]', notNumber('array')],
    ['[1000000]', notNumber('array')],
    ['{}', notNumber('object')],
    ['{"valueOf":1000000}', notNumber('object')],
    ['true', notNumber('boolean')],
  ])('%s', async (amount, refusal) => {
    const { path, body } = calls.play;
    const text = JSON.stringify(body).replace('"amount":1000000', `"amount":${amount}`);
    await expectRefusedExactly(server, { path, body: text }, refusal);
  });

  test('missing', async () => {
    const { path, body } = calls.play;
    await expectRefusedExactly(server, { path, body: { ...body, amount: undefined } }, notNumber('undefined'));
  });
});

describe('the mode', () => {
  const notText = (received: string) => wrongType('mode', 'string', received);

  test.each<[string, unknown, ExactRefusal]>([
    ['missing', undefined, notText('undefined')],
    ['null', null, notText('null')],
    ['a number', 0, notText('number')],
    ['an array', ['BASE'], notText('array')],
    ['an object', { mode: 'BASE' }, notText('object')],
    ['empty', '', MODE_LENGTH],
    ['of 65 characters', 'M'.repeat(65), MODE_LENGTH],
    ['of 65 characters beyond U+FFFF', '🎰'.repeat(65), MODE_LENGTH],
    ['of 64 characters that is unknown', 'M'.repeat(64), UNKNOWN_MODE],
    ['of 64 characters beyond U+FFFF', '🎰'.repeat(64), UNKNOWN_MODE],
    ['unknown', 'NONE', UNKNOWN_MODE],
    ['with a space before', ' BASE', UNKNOWN_MODE],
    ['with a line break behind', 'BASE\n', UNKNOWN_MODE],
    ['U+0000', '\u0000', UNKNOWN_MODE],
    ['with U+0000 behind', 'BASE\u0000', UNKNOWN_MODE],
    ['half a surrogate pair', '\ud800', UNKNOWN_MODE],
    ['with half a surrogate pair behind', 'BASE\udfff', UNKNOWN_MODE],
    ['__proto__', '__proto__', UNKNOWN_MODE],
    ['constructor', 'constructor', UNKNOWN_MODE],
    ['the name of a column', 'mode', UNKNOWN_MODE],
    ['a letter whose upper case is another mode', 'ba\u017fe', UNKNOWN_MODE],
  ])('%s', async (_what, mode, refusal) => {
    const { path, body } = calls.play;
    await expectRefusedExactly(server, { path, body: { ...body, mode } }, refusal);
  });

  test.each(['base', 'Base', 'bAsE', 'ante', 'ANTE', 'auto'])('in another case is the same mode: %s', async (mode) => {
    const sessionID = await server.liveSession();
    const { status, body } = await server.playBook(sessionID, BOOK.pays150, { mode });
    expect([status, body.round.mode]).toEqual([200, mode.toUpperCase()]);
  });
});

describe('the bet rules', () => {
  test.each<[string, number, ExactRefusal]>([
    ['USD', 1, belowMinimum(200_000)],
    ['USD', 199_999, belowMinimum(200_000)],
    ['USD', 100_000, belowMinimum(200_000)],
    ['USD', 200_001, offStep(100_000)],
    ['USD', 250_000, offStep(100_000)],
    ['USD', 99_999_999, offStep(100_000)],
    ['USD', 100 * UNIT + 1, aboveMaximum(100 * UNIT)],
    ['USD', 100 * UNIT + 100_000, aboveMaximum(100 * UNIT)],
    ['USD', Number.MAX_SAFE_INTEGER, aboveMaximum(100 * UNIT)],
    ['JPY', 200_000, belowMinimum(10 * UNIT)],
    ['JPY', 15 * UNIT, offStep(10 * UNIT)],
    ['JPY', 1010 * UNIT, aboveMaximum(1000 * UNIT)],
  ])('%s: a bet of %d', async (currency, amount, refusal) => {
    const sessionID = await server.liveSession({ currency });
    const body = { sessionID, amount, mode: 'BASE' };
    await expectRefusedExactly(server, { path: '/wallet/play', body }, refusal);
  });

  test.each([
    ['the smallest', 200_000],
    ['the largest', 100 * UNIT],
    ['one step above the smallest', 300_000],
  ])('%s bet is taken', async (_what, amount) => {
    const sessionID = await server.liveSession();
    const { status, body } = await server.post('/wallet/play', { sessionID, amount, mode: 'BASE' });
    expect([status, body.balance.amount]).toEqual([200, OPENING - amount]);
  });
});

describe('the balance', () => {
  test.each([
    { mode: 'BASE', amount: UNIT, debit: UNIT },
    { mode: 'ANTE', amount: 300_000, debit: 375_000 },
    { mode: 'BONUS', amount: 200_000, debit: 20 * UNIT },
  ])('covers a debit of exactly $debit in $mode, and not one of a micro more', async ({ mode, amount, debit }) => {
    const token = `poor-${mode}`;
    const sessionID = await server.liveSession({ token, balance: debit - 1 });
    const body = { sessionID, amount, mode };
    await expectRefusedExactly(server, { path: '/wallet/play', body }, TOO_POOR);
    await server.newSession({ token, setBalance: debit });
    const played = await server.post('/wallet/play', body);
    expect([played.status, played.body.balance.amount]).toEqual([200, 0]);
  });

  test('of nothing covers nothing', async () => {
    const sessionID = await server.liveSession({ balance: 0 });
    const body = { sessionID, amount: 200_000, mode: 'BASE' };
    await expectRefusedExactly(server, { path: '/wallet/play', body }, TOO_POOR);
  });
});

describe('play while a round is active', () => {
  test.each([
    ['the same bet', { amount: UNIT, mode: 'BASE' }],
    ['another bet', { amount: 2 * UNIT, mode: 'ANTE' }],
    ['a bet that the balance would not cover', { amount: 100 * UNIT, mode: 'BONUS' }],
  ])('%s', async (_what, bet) => {
    const body = { sessionID: calls.endRound.body.sessionID, ...bet };
    await expectRefusedExactly(server, { path: '/wallet/play', body }, ROUND_ACTIVE);
  });

  test('a bet against the rules is answered as such', async () => {
    const { sessionID } = calls.endRound.body;
    const body = { sessionID, amount: 1, mode: 'BASE' };
    await expectRefusedExactly(server, { path: '/wallet/play', body }, belowMinimum(200_000));
  });
});

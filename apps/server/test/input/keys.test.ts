import { describe, expect, test } from 'vitest';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { SAME_KEY_TWICE, wrongType } from '../support/exactRefusals.ts';
import { expectRefusedExactly } from '../support/expectExactly.ts';
import { ENDPOINT_NAMES, useGoodCalls } from '../support/goodCalls.ts';

const server = useCheckedServer();
const calls = useGoodCalls(server);

/** The body with members added at its end, as they are written here. */
const withMembers = (body: object, members: string) => `${JSON.stringify(body).slice(0, -1)},${members}}`;

// Of two equal keys JSON.parse keeps the last; somebody on the way may have gone by the first. An ambiguous request about
// money is no request.
describe.each(ENDPOINT_NAMES)('the same key twice, at %s', (name) => {
  test.each([
    ['of another value', '"sessionID":"another"'],
    ['of no value', '"sessionID":null'],
    ['spelled with an escape', '"\\u0073essionID":"another"'],
    ['spelled with escapes only', '"\\u0073\\u0065\\u0073\\u0073\\u0069\\u006f\\u006e\\u0049\\u0044":"another"'],
    ['behind a field to ignore', '"meta":{"sessionID":"a"},"sessionID":"another"'],
    ['a field to ignore', '"meta":1,"meta":2'],
    ['a field to ignore, of one value', '"meta":1,"meta":1'],
    ['the empty key', '"":1,"":2'],
    ['__proto__', '"__proto__":{},"__proto__":{}'],
    ['constructor, once with an escape', '"constructor":1,"\\u0063onstructor":2'],
    ['half a surrogate pair', '"\\ud800":1,"\\uD800":2'],
  ])('%s', async (_what, members) => {
    const { path, body } = calls[name];
    await expectRefusedExactly(server, { path, body: withMembers(body, members) }, SAME_KEY_TWICE);
  });

  test('of the very same value', async () => {
    const { path, body } = calls[name];
    const members = `"sessionID":${JSON.stringify(body.sessionID)}`;
    await expectRefusedExactly(server, { path, body: withMembers(body, members) }, SAME_KEY_TWICE);
  });
});

describe('the same key twice, in a bet', () => {
  test.each([
    ['amount', '"amount":200000'],
    ['amount, spelled with an escape', '"\\u0061mount":200000'],
    ['amount, of the same value', '"amount":1000000'],
    ['mode', '"mode":"BONUS"'],
    ['mode, spelled with an escape', '"mod\\u0065":"BONUS"'],
  ])('%s', async (_what, members) => {
    const { path, body } = calls.play;
    await expectRefusedExactly(server, { path, body: withMembers(body, members) }, SAME_KEY_TWICE);
  });

  test('event', async () => {
    const { path, body } = calls.event;
    await expectRefusedExactly(server, { path, body: withMembers(body, '"event":"picked:2"') }, SAME_KEY_TWICE);
  });

  test.each([
    ['inside of a field to ignore', '"meta":{"a":1,"a":2}'],
    ['once outside and once inside of a field to ignore', '"meta":{"amount":5,"sessionID":"another"}'],
    ['as a text', '"meta":"\\"amount\\":5","note":"amount"'],
    ['in another case', '"AMOUNT":5,"Amount":6,"sessionid":"another"'],
  ])('is not what stands %s', async (_what, members) => {
    const bet = { sessionID: await server.liveSession(), amount: UNIT, mode: 'BASE' };
    const { status, body } = await server.post('/wallet/play', withMembers(bet, members));
    expect([status, body.balance?.amount]).toEqual([200, OPENING - UNIT]);
  });
});

describe('keys with a meaning in JavaScript', () => {
  const ENDINGS = [
    '"__proto__":{"polluted":true,"mode":"BONUS","amount":5}',
    '"constructor":{"prototype":{"polluted":true}}',
    '"prototype":{"polluted":true}',
    '"__proto__":null',
    '"constructor":null,"toString":1,"valueOf":1,"hasOwnProperty":1,"toJSON":1,"then":1',
    '"__defineGetter__":1,"__lookupGetter__":1',
    '"__proto__":{"__proto__":{"polluted":true}}',
  ];

  test.each(ENDINGS)('are unknown fields, and pollute nothing: %s', async (members) => {
    const bet = { sessionID: await server.liveSession(), amount: UNIT, mode: 'BASE' };
    const { status, body } = await server.post('/wallet/play', withMembers(bet, members));
    expect([status, body.balance?.amount, body.round?.mode]).toEqual([200, OPENING - UNIT, 'BASE']);
    // The server runs in this very process, so its prototypes are the ones that can be looked at here.
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each(ENDPOINT_NAMES)('stand for no field that is required, at %s', async (name) => {
    const { path, body } = calls[name];
    const fields = JSON.stringify(body);
    const missing = wrongType('sessionID', 'string', 'undefined');
    for (const text of [
      `{"__proto__":${fields}}`,
      `{"constructor":${fields}}`,
      `{"constructor":{"prototype":${fields}}}`,
      `{"prototype":${fields}}`,
      `{"\\u005f_proto__":${fields}}`,
      `{"body":${fields}}`,
      fields.replace('"sessionID"', '"sessionid"'),
      fields.replace('"sessionID"', '"sessionID "'),
      fields.replace('"sessionID"', '"sessionID\\u0000"'),
    ]) {
      await expectRefusedExactly(server, { path, body: text }, missing);
    }
  });

  test('do not make up for a field that is missing among others', async () => {
    const { sessionID, amount, mode } = calls.play.body;
    const cases: [string, string, string][] = [
      [`{"sessionID":"${sessionID}","mode":"${mode}","__proto__":{"amount":${amount}}}`, 'amount', 'number'],
      [`{"sessionID":"${sessionID}","amount":${amount},"__proto__":{"mode":"${mode}"}}`, 'mode', 'string'],
    ];
    for (const [body, field, type] of cases) {
      await expectRefusedExactly(server, { path: '/wallet/play', body }, wrongType(field, type, 'undefined'));
    }
  });
});

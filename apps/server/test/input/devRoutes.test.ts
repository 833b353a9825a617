import { CURRENCY_CODES, ERROR_CODES, GAME_ROUTES, OUTCOME_KINDS } from '@roundhouse/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyBody, anyHeaders } from '../fuzz/bodies.ts';
import { UNIT, useCheckedServer } from '../support/checkedServer.ts';
import {
  EMPTY_BODY,
  type ExactRefusal,
  invalid,
  MODE_LENGTH,
  NO_SESSION,
  NO_SUCH_PATH,
  NOT_AN_OBJECT,
  NOT_JSON,
  NOT_UTF8,
  notFound,
  SAME_KEY_TWICE,
  SESSION_ID_LENGTH,
  TOO_LARGE,
  wrongType,
} from '../support/exactRefusals.ts';
import {
  expectAnswer,
  expectNoErrorLogged,
  expectNothingChanged,
  expectRefusedExactly,
} from '../support/expectExactly.ts';

const server = useCheckedServer();
let sessionID: string;
beforeAll(async () => {
  sessionID = await server.liveSession();
});

const PATHS = ['/session/start', '/game/search', '/game/force'];
const NO_SUCH_BOOK = notFound('there is no such book');
const length = (field: string, max: number) => invalid(`${field}: must have 1 to ${max} characters`);

describe.each(PATHS)('%s', (path) => {
  test.each<[string, string | Uint8Array, ExactRefusal]>([
    ['nothing', '', EMPTY_BODY],
    ['no JSON', '{', NOT_JSON],
    ['an array', '[]', NOT_AN_OBJECT],
    ['a text', '"{}"', NOT_AN_OBJECT],
    ['null', 'null', NOT_AN_OBJECT],
    ['the same key twice', '{"mode":"BASE","\\u006dode":"BASE"}', SAME_KEY_TWICE],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), NOT_UTF8],
    ['1 MB', `{"token":"${'t'.repeat(1_048_576)}"}`, TOO_LARGE],
    ['deeply nested arrays', '['.repeat(8_000) + ']'.repeat(8_000), NOT_AN_OBJECT],
  ])('a body of %s', async (_what, body, refusal) => {
    await expectRefusedExactly(server, { path, body }, refusal);
  });

  test.each(['GET', 'PUT', 'DELETE'])('by %s', async (method) => {
    expectAnswer(await expectNothingChanged(server, () => server.send(path, { method })), NO_SUCH_PATH);
  });
});

test.each([
  [
    '/session/start',
    { currency: 'EUR', language: 'fi', device: 'mobile', social: true, balance: UNIT, token: 'any', country: 'FI' },
  ],
  ['/game/search', { mode: 'BASE', search: { bookID: 2 } }],
  ['/game/force', { mode: 'BASE', bookID: 2 }],
])('%s: whatever comes in, it is answered within the contract', async (path, more) => {
  const good = { ...(path !== '/session/start' && { sessionID }), ...more };
  const property = fc.asyncProperty(anyBody(good), anyHeaders, async (body, headers) => {
    const { status, text } = await server.post(path, body, headers);
    expect([200, 400, 404], text).toContain(status);
  });
  await fc.assert(property, { numRuns: 100 });
  expect((await server.post(path, good)).status).toBe(200);
  expectNoErrorLogged(server);
});

describe('/session/start', () => {
  const NO_SUCH_CURRENCY = invalid(
    `currency: Invalid option: expected one of ${CURRENCY_CODES.map((code) => `"${code}"`).join('|')}`,
  );
  const NO_COUNTRY = invalid('country: Invalid string: must match pattern /^[A-Za-z]{2}$/');
  const notStorable = invalid('token: must not hold U+0000 or half a surrogate pair');

  test.each<[object, ExactRefusal]>([
    [{ currency: 'GBP' }, NO_SUCH_CURRENCY],
    [{ currency: 'usd' }, NO_SUCH_CURRENCY],
    [{ currency: '' }, NO_SUCH_CURRENCY],
    [{ currency: 840 }, NO_SUCH_CURRENCY],
    [{ currency: null }, NO_SUCH_CURRENCY],
    [{ currency: ['USD'] }, NO_SUCH_CURRENCY],
    [{ balance: -1 }, invalid('balance: Too small: expected number to be >=0')],
    [{ balance: 1.5 }, wrongType('balance', 'int', 'number')],
    [{ balance: '1000000' }, wrongType('balance', 'number', 'string')],
    [{ balance: null }, wrongType('balance', 'number', 'null')],
    [{ balance: 2 ** 53 }, invalid('balance: Too big: expected int to be <=9007199254740991')],
    [{ setBalance: -1 }, invalid('setBalance: Too small: expected number to be >=0')],
    [{ setBalance: [1] }, wrongType('setBalance', 'number', 'array')],
    [{ setBalance: 2 ** 53 }, invalid('setBalance: Too big: expected int to be <=9007199254740991')],
    [{ token: '' }, length('token', 128)],
    [{ token: 't'.repeat(129) }, length('token', 128)],
    [{ token: 7 }, wrongType('token', 'string', 'number')],
    [{ token: null }, wrongType('token', 'string', 'null')],
    [{ token: '\u0000' }, notStorable],
    [{ token: 'player\u0000' }, notStorable],
    [{ token: '\ud800' }, notStorable],
    [{ country: 'FIN' }, NO_COUNTRY],
    [{ country: '' }, NO_COUNTRY],
    [{ country: 'F1' }, NO_COUNTRY],
    [{ country: 'FI\n' }, NO_COUNTRY],
    [{ country: 358 }, wrongType('country', 'string', 'number')],
    [{ social: 'true' }, wrongType('social', 'boolean', 'string')],
    [{ social: 1 }, wrongType('social', 'boolean', 'number')],
    [{ language: 5 }, wrongType('language', 'string', 'number')],
    [{ language: 'l'.repeat(65) }, length('language', 64)],
    [{ device: '' }, length('device', 64)],
    [{ gameID: '' }, length('gameID', 64)],
    [{ gameID: 5 }, wrongType('gameID', 'string', 'number')],
    [{ gameID: 'other' }, notFound('there is no such game here')],
    [{ gameID: 'FIXTURE' }, notFound('there is no such game here')],
    [{ gameID: '\u0000' }, notFound('there is no such game here')],
    [{ gameID: '\ud800' }, notFound('there is no such game here')],
    [{ gameID: '__proto__' }, notFound('there is no such game here')],
  ])('%j', async (body, refusal) => {
    await expectRefusedExactly(server, { path: '/session/start', body }, refusal);
  });

  test.each([
    { token: '🎰'.repeat(128) },
    { token: "'; DROP TABLE players; --" },
    { token: '__proto__' },
    { language: '\u0000\ud800', device: '\u0000' },
    { balance: Number.MAX_SAFE_INTEGER },
    { setBalance: 0, balance: 5 },
    { country: 'fi' },
    { meta: { deep: [1] }, operatorCode: 'other' },
  ])('%j is good', async (body) => {
    const answer = await server.post('/session/start', body);
    expect(answer.status).toBe(200);
    const launched = new URL(answer.body.url).searchParams.get('sessionID');
    expect((await server.post('/wallet/authenticate', { sessionID: launched })).status).toBe(200);
  });
});

describe('/game/search', () => {
  const search = { bookID: 1 };
  const NO_BOOK_ID = invalid('search.bookID: Invalid input');

  test.each<[object, ExactRefusal]>([
    [{}, wrongType('mode', 'string', 'undefined')],
    [{ mode: 5, search }, wrongType('mode', 'string', 'number')],
    [{ mode: '', search }, MODE_LENGTH],
    [{ mode: 'm'.repeat(65), search }, MODE_LENGTH],
    [{ mode: 'BASE' }, wrongType('search', 'object', 'undefined')],
    [{ mode: 'BASE', search: null }, wrongType('search', 'object', 'null')],
    [{ mode: 'BASE', search: [1] }, wrongType('search', 'object', 'array')],
    [{ mode: 'BASE', search: {} }, NO_BOOK_ID],
    [{ mode: 'BASE', search: { bookID: null } }, NO_BOOK_ID],
    [{ mode: 'BASE', search: { bookID: true } }, NO_BOOK_ID],
    [{ mode: 'BASE', search: { bookID: -1 } }, invalid('search.bookID: Too small: expected number to be >=0')],
    [
      { mode: 'BASE', search: { bookID: 2 ** 53 } },
      invalid('search.bookID: Too big: expected int to be <=9007199254740991'),
    ],
    [
      { mode: 'BASE', search: { bookID: '1x' } },
      invalid('search.bookID: Invalid string: must match pattern /^\\d{1,15}$/'),
    ],
    [{ mode: 'BASE', search, sessionID: '' }, SESSION_ID_LENGTH],
    [{ mode: 'BASE', search, sessionID: 5 }, wrongType('sessionID', 'string', 'number')],
    [{ mode: 'BASE', search, sessionID: 'nobody' }, NO_SESSION],
    [{ mode: 'BASE', search: { bookID: 99 } }, NO_SUCH_BOOK],
    [{ mode: 'BASE', search: { bookID: 0 } }, NO_SUCH_BOOK],
    [{ mode: 'BASE', search: { bookID: Number.MAX_SAFE_INTEGER } }, NO_SUCH_BOOK],
    [{ mode: 'NONE', search }, NO_SUCH_BOOK],
    [{ mode: '\u0000', search }, NO_SUCH_BOOK],
    [{ mode: '__proto__', search }, NO_SUCH_BOOK],
    [{ mode: 'BASE', search, gameID: 'other' }, NO_SUCH_BOOK],
    [{ mode: 'BASE', search, gameVersion: '9.9.9' }, NO_SUCH_BOOK],
    [{ mode: 'BASE', search, gameVersion: '\u0000' }, NO_SUCH_BOOK],
  ])('%j', async (body, refusal) => {
    await expectRefusedExactly(server, { path: '/game/search', body }, refusal);
  });

  test('with a session that is not authenticated', async () => {
    const issued = await server.newSession();
    await expectRefusedExactly(
      server,
      { path: '/game/search', body: { mode: 'BASE', search, sessionID: issued } },
      NO_SESSION,
    );
  });

  test('that finds a book moves nothing either', async () => {
    const body = { mode: 'base', search: { bookID: '2' }, sessionID };
    const answer = await expectNothingChanged(server, () => server.post('/game/search', body));
    expect([answer.status, answer.body.round?.betID]).toEqual([200, 0]);
  });
});

describe('/game/force', () => {
  const NO_SUCH_KIND = invalid(
    `kind: Invalid option: expected one of ${OUTCOME_KINDS.map((kind) => `"${kind}"`).join('|')}`,
  );

  test.each<[object, ExactRefusal]>([
    [{ bookID: undefined }, invalid('bookID: needs exactly one of bookID and kind')],
    [{ kind: 'loss' }, invalid('bookID: needs exactly one of bookID and kind')],
    [{ bookID: undefined, kind: 'win' }, NO_SUCH_KIND],
    [{ bookID: undefined, kind: 'LOSS' }, NO_SUCH_KIND],
    [{ bookID: undefined, kind: null }, NO_SUCH_KIND],
    [{ bookID: undefined, kind: 'loss', mode: 'NONE' }, NO_SUCH_BOOK],
    [{ bookID: undefined, kind: 'loss', sessionID: 'nobody' }, NO_SESSION],
    [{ bookID: null }, invalid('bookID: Invalid input')],
    [{ bookID: -1 }, invalid('bookID: Too small: expected number to be >=0')],
    [{ bookID: 1.5 }, invalid('bookID: Invalid input')],
    [{ bookID: 'x' }, invalid('bookID: Invalid string: must match pattern /^\\d{1,15}$/')],
    [{ bookID: 99 }, NO_SUCH_BOOK],
    [{ mode: 'NONE' }, NO_SUCH_BOOK],
    [{ mode: 'BASE\u0000' }, NO_SUCH_BOOK],
    [{ mode: '' }, MODE_LENGTH],
    [{ mode: null }, wrongType('mode', 'string', 'null')],
    [{ sessionID: undefined }, wrongType('sessionID', 'string', 'undefined')],
    [{ sessionID: '' }, SESSION_ID_LENGTH],
    [{ sessionID: 'nobody' }, NO_SESSION],
  ])('%j', async (change, refusal) => {
    const body = { sessionID, mode: 'BASE', bookID: 1, ...change };
    await expectRefusedExactly(server, { path: '/game/force', body }, refusal);
  });

  test('that is accepted moves nothing by itself', async () => {
    const body = { sessionID, mode: 'BASE', bookID: 1 };
    const { status } = await expectNothingChanged(server, () => server.post('/game/force', body));
    expect(status).toBe(200);
  });
});

describe('/game/faults', () => {
  const { replay: _replay, ...ENDPOINTS } = GAME_ROUTES;
  const GUARDED = Object.values(ENDPOINTS).map(({ path }) => path);
  const fault = { kind: 'error', error: 'ERR_GEN', path: '/bet/event', next: 3 };
  const put = (body: string) => server.send('/game/faults', { method: 'PUT', body });

  beforeAll(async () => {
    expect((await put(JSON.stringify({ faults: [fault] }))).status).toBe(200);
  });
  afterAll(async () => {
    await server.send('/game/faults', { method: 'DELETE' });
  });

  test.each<[string, ExactRefusal]>([
    ['', EMPTY_BODY],
    ['{', NOT_JSON],
    ['[]', NOT_AN_OBJECT],
    ['{"faults":[],"faults":[]}', SAME_KEY_TWICE],
    [`{"faults":"${'f'.repeat(20_000)}"}`, TOO_LARGE],
    ['{}', wrongType('faults', 'array', 'undefined')],
    ['{"faults":{}}', wrongType('faults', 'array', 'object')],
    ['{"faults":[5]}', wrongType('faults.0', 'object', 'number')],
    ['{"faults":[{"kind":"cut"}]}', invalid('faults.0: needs exactly one of next and share')],
    ['{"faults":[{"kind":"cut","next":0}]}', invalid('faults.0.next: Too small: expected number to be >=1')],
    ['{"faults":[{"kind":"cut","share":2}]}', invalid('faults.0.share: Too big: expected number to be <=1')],
    ['{"faults":[{"kind":"delay","next":1}]}', invalid('faults.0: delayMs belongs to the kind delay, which needs it')],
    [
      '{"faults":[{"kind":"error","error":"ERR_UE","next":1}]}',
      invalid(`faults.0.error: must be one of ${ERROR_CODES.join(', ')}`),
    ],
    [
      '{"faults":[{"kind":"cut","path":"/session/start","next":1}]}',
      invalid(`faults.0.path: must be one of ${GUARDED.join(', ')}`),
    ],
  ])('by PUT with %.60s leaves the plan as it is', async (body, refusal) => {
    expectAnswer(await expectNothingChanged(server, () => put(body)), refusal);
    expect((await server.send('/game/faults')).body).toEqual({ faults: [fault] });
  });

  test.each(['POST', 'PATCH'])('by %s', async (method) => {
    expectAnswer(await expectNothingChanged(server, () => server.send('/game/faults', { method })), NO_SUCH_PATH);
  });
});

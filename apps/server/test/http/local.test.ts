import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyBody, anyHeaders } from '../fuzz/bodies.ts';
import { issueTestSession, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK, PAYOUTS } from '../support/fixtureGame.ts';
import { balanceOf, expectNothingChanged, expectRefusal, expectRefused, snapshot } from '../support/snapshot.ts';

const server = useCheckedServer();
let sessionID: string;
beforeAll(async () => {
  sessionID = await server.liveSession();
});

const PATHS = ['/session/start', '/game/search', '/game/force'];
/** What the refusal names: ERR_VAL with this in its message, unless it is one of these. */
const NO_SUCH_BOOK = 'no such book';
const NO_SUCH_GAME = 'no such game';
const NO_SESSION = 'the session is not known';

async function expectNamed(call: { path: string; body: unknown }, about: string): Promise<void> {
  const code = about.startsWith('no such') ? 'NOT_FOUND' : about === NO_SESSION ? 'ERR_IS' : 'ERR_VAL';
  await expectRefused(server, call, code, about);
}

describe.each(PATHS)('%s', (path) => {
  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'empty'],
    ['no JSON', '{', 'not JSON'],
    ['an array', '[]', 'not a JSON object'],
    ['a text', '"{}"', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['the same key twice', '{"mode":"BASE","\\u006dode":"BASE"}', 'twice'],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'UTF-8'],
    ['1 MB', `{"token":"${'t'.repeat(1_048_576)}"}`, '16 KiB'],
    ['deeply nested arrays', '['.repeat(8_000) + ']'.repeat(8_000), 'not a JSON object'],
  ])('a body of %s', async (_what, body, about) => {
    await expectNamed({ path, body }, about);
  });

  it.each(['GET', 'PUT', 'DELETE'])('by %s', async (method) => {
    expectRefusal(await expectNothingChanged(server, () => server.send(path, { method })), 'NOT_FOUND');
  });
});

it.each([
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
  expect(server.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

describe('/session/start', () => {
  const NO_SUCH_CURRENCY = 'currency: ';
  const NO_COUNTRY = 'country: ';
  const NOT_STORABLE = 'token: must not hold U+0000';

  it.each<[object, string]>([
    [{ currency: 'GBP' }, NO_SUCH_CURRENCY],
    [{ currency: 'usd' }, NO_SUCH_CURRENCY],
    [{ currency: '' }, NO_SUCH_CURRENCY],
    [{ currency: 840 }, NO_SUCH_CURRENCY],
    [{ currency: null }, NO_SUCH_CURRENCY],
    [{ currency: ['USD'] }, NO_SUCH_CURRENCY],
    [{ balance: -1 }, 'balance: '],
    [{ balance: 1.5 }, 'balance: '],
    [{ balance: '1000000' }, 'balance: '],
    [{ balance: null }, 'balance: '],
    [{ balance: 2 ** 53 }, 'balance: '],
    [{ setBalance: -1 }, 'setBalance: '],
    [{ setBalance: [1] }, 'setBalance: '],
    [{ setBalance: 2 ** 53 }, 'setBalance: '],
    [{ token: '' }, 'token: '],
    [{ token: 't'.repeat(129) }, 'token: '],
    [{ token: 7 }, 'token: '],
    [{ token: null }, 'token: '],
    [{ token: '\u0000' }, NOT_STORABLE],
    [{ token: 'player\u0000' }, NOT_STORABLE],
    [{ token: '\ud800' }, NOT_STORABLE],
    [{ country: 'FIN' }, NO_COUNTRY],
    [{ country: '' }, NO_COUNTRY],
    [{ country: 'F1' }, NO_COUNTRY],
    [{ country: 'FI\n' }, NO_COUNTRY],
    [{ country: 358 }, 'country: '],
    [{ social: 'true' }, 'social: '],
    [{ social: 1 }, 'social: '],
    [{ language: 5 }, 'language: '],
    [{ language: 'l'.repeat(65) }, 'language: '],
    [{ device: '' }, 'device: '],
    [{ gameID: '' }, 'gameID: '],
    [{ gameID: 5 }, 'gameID: '],
    [{ gameID: 'other' }, NO_SUCH_GAME],
    [{ gameID: 'FIXTURE' }, NO_SUCH_GAME],
    [{ gameID: '\u0000' }, NO_SUCH_GAME],
    [{ gameID: '\ud800' }, NO_SUCH_GAME],
    [{ gameID: '__proto__' }, NO_SUCH_GAME],
  ])('%j', async (body, about) => {
    await expectNamed({ path: '/session/start', body }, about);
  });

  it.each([
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
  const NO_BOOK_ID = 'search.bookID: ';

  it.each<[object, string]>([
    [{}, 'mode: '],
    [{ mode: 5, search }, 'mode: '],
    [{ mode: '', search }, 'mode: '],
    [{ mode: 'm'.repeat(65), search }, 'mode: '],
    [{ mode: 'BASE' }, 'search: '],
    [{ mode: 'BASE', search: null }, 'search: '],
    [{ mode: 'BASE', search: [1] }, 'search: '],
    [{ mode: 'BASE', search: {} }, NO_BOOK_ID],
    [{ mode: 'BASE', search: { bookID: null } }, NO_BOOK_ID],
    [{ mode: 'BASE', search: { bookID: true } }, NO_BOOK_ID],
    [{ mode: 'BASE', search: { bookID: -1 } }, 'search.bookID: '],
    [{ mode: 'BASE', search: { bookID: 2 ** 53 } }, 'search.bookID: '],
    [{ mode: 'BASE', search: { bookID: '1x' } }, 'search.bookID: '],
    [{ mode: 'BASE', search, sessionID: '' }, 'sessionID: '],
    [{ mode: 'BASE', search, sessionID: 5 }, 'sessionID: '],
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
  ])('%j', async (body, about) => {
    await expectNamed({ path: '/game/search', body }, about);
  });

  it('with a session that is not authenticated', async () => {
    const issued = await server.newSession();
    await expectNamed({ path: '/game/search', body: { mode: 'BASE', search, sessionID: issued } }, NO_SESSION);
  });

  it('that finds a book moves nothing either', async () => {
    const body = { mode: 'base', search: { bookID: '2' }, sessionID };
    const answer = await expectNothingChanged(server, () => server.post('/game/search', body));
    expect([answer.status, answer.body.round?.betID]).toEqual([200, 0]);
  });
});

describe('/game/force', () => {
  const NO_SUCH_KIND = 'kind: ';

  it.each<[object, string]>([
    [{ bookID: undefined }, 'bookID: needs exactly one of bookID and kind'],
    [{ kind: 'loss' }, 'bookID: needs exactly one of bookID and kind'],
    [{ bookID: undefined, kind: 'win' }, NO_SUCH_KIND],
    [{ bookID: undefined, kind: 'LOSS' }, NO_SUCH_KIND],
    [{ bookID: undefined, kind: null }, NO_SUCH_KIND],
    [{ bookID: undefined, kind: 'loss', mode: 'NONE' }, NO_SUCH_BOOK],
    [{ bookID: undefined, kind: 'loss', sessionID: 'nobody' }, NO_SESSION],
    [{ bookID: null }, 'bookID: '],
    [{ bookID: -1 }, 'bookID: '],
    [{ bookID: 1.5 }, 'bookID: '],
    [{ bookID: 'x' }, 'bookID: '],
    [{ bookID: 99 }, NO_SUCH_BOOK],
    [{ mode: 'NONE' }, NO_SUCH_BOOK],
    [{ mode: 'BASE\u0000' }, NO_SUCH_BOOK],
    [{ mode: '' }, 'mode: '],
    [{ mode: null }, 'mode: '],
    [{ sessionID: undefined }, 'sessionID: '],
    [{ sessionID: '' }, 'sessionID: '],
    [{ sessionID: 'nobody' }, NO_SESSION],
  ])('%j', async (change, about) => {
    const body = { sessionID, mode: 'BASE', bookID: 1, ...change };
    await expectNamed({ path: '/game/force', body }, about);
  });

  it('that is accepted moves nothing by itself', async () => {
    const body = { sessionID, mode: 'BASE', bookID: 1 };
    const { status } = await expectNothingChanged(server, () => server.post('/game/force', body));
    expect(status).toBe(200);
  });
});

describe('/game/faults', () => {
  const fault = { kind: 'error', error: 'ERR_GEN', path: '/bet/event', next: 3 };
  const put = (body: string) => server.send('/game/faults', { method: 'PUT', body });

  beforeAll(async () => {
    expect((await put(JSON.stringify({ faults: [fault] }))).status).toBe(200);
  });
  afterAll(async () => {
    await server.send('/game/faults', { method: 'DELETE' });
  });

  it.each<[string, string]>([
    ['', 'empty'],
    ['{', 'not JSON'],
    ['[]', 'not a JSON object'],
    ['{"faults":[],"faults":[]}', 'twice'],
    [`{"faults":"${'f'.repeat(20_000)}"}`, '16 KiB'],
    ['{}', 'faults: '],
    ['{"faults":{}}', 'faults: '],
    ['{"faults":[5]}', 'faults.0: '],
    ['{"faults":[{"kind":"lost_request"}]}', 'faults.0: '],
    ['{"faults":[{"kind":"lost_request","next":0}]}', 'faults.0.next: '],
    ['{"faults":[{"kind":"lost_request","share":2}]}', 'faults.0.share: '],
    ['{"faults":[{"kind":"delay","next":1}]}', 'faults.0: '],
    ['{"faults":[{"kind":"error","error":"ERR_UE","next":1}]}', 'faults.0.error: '],
    ['{"faults":[{"kind":"lost_request","path":"/session/start","next":1}]}', 'faults.0.path: '],
  ])('by PUT with %.60s leaves the plan as it is', async (body, about) => {
    expectRefusal(await expectNothingChanged(server, () => put(body)), 'ERR_VAL', about);
    expect((await server.send('/game/faults')).body).toEqual({ faults: [fault] });
  });

  it.each(['POST', 'PATCH'])('by %s', async (method) => {
    expectRefusal(await expectNothingChanged(server, () => server.send('/game/faults', { method })), 'NOT_FOUND');
  });
});

describe('a session for local work', () => {
  it('POST /session/start needs nothing, and answers a launch URL of a new test player', async () => {
    const { status, body } = await server.post('/session/start', {});
    expect(status).toBe(200);
    expect(new URL(body.url).searchParams.get('sessionID')).toBe(body.sessionID);
    expect((await server.post('/wallet/authenticate', { sessionID: body.sessionID })).body.balance.amount).toBe(
      OPENING,
    );
  });

  it('token: the same token is the same player again, another or none is a new one', async () => {
    const first = await server.liveSession({ token: 'tester', balance: 5 * UNIT });
    await server.playBook(first, BOOK.pays0);
    await server.post('/wallet/end-round', { sessionID: first });
    expect(await balanceOf(server, await server.newSession({ token: 'tester' }))).toBe(4 * UNIT);
    expect(await balanceOf(server, await server.newSession({ token: 'other tester' }))).toBe(OPENING);
    expect(await balanceOf(server, await server.newSession())).toBe(OPENING);
  });

  it('balance is for a player who is new, setBalance for any', async () => {
    const token = 'rich';
    expect(await balanceOf(server, await server.newSession({ token, balance: 7 * UNIT }))).toBe(7 * UNIT);
    expect(await balanceOf(server, await server.newSession({ token, balance: 9 * UNIT }))).toBe(7 * UNIT);
    expect(await balanceOf(server, await server.newSession({ token, setBalance: 3 * UNIT }))).toBe(3 * UNIT);
    expect(await balanceOf(server, await server.newSession({ token, setBalance: 0, balance: UNIT }))).toBe(0);
  });

  it('gameID, currency, language, device, social, country: all are used, an unknown game is 404', async () => {
    const options = {
      gameID: 'fixture',
      currency: 'EUR',
      language: 'fi',
      device: 'mobile',
      social: true,
      country: 'fi',
    };
    const { body } = await server.post('/session/start', options);
    const url = new URL(body.url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      currency: 'EUR',
      lang: 'fi',
      device: 'mobile',
      social: 'true',
    });
    expect((await snapshot(server, body.sessionID)).session).toMatchObject({ country: 'FI' });
    const unknown = await server.post('/session/start', { gameID: 'unknown' });
    expect([unknown.status, unknown.body.error]).toEqual([404, 'ERR_VAL']);
  });

  it('jurisdiction: any of its fields, for this session alone; a wrong one is ERR_VAL', async () => {
    const jurisdiction = { disabledBuyFeature: true, displayRTP: true, minimumRoundDuration: 2500 };
    const told = await server.newSession({ jurisdiction });
    const { body } = await server.post('/wallet/authenticate', { sessionID: told });
    expect(body.config.jurisdiction).toMatchObject({ ...jurisdiction, disabledTurbo: false });
    const untold = await server.post('/wallet/authenticate', { sessionID: await server.newSession() });
    expect(untold.body.config.jurisdiction).toMatchObject({ disabledBuyFeature: false, minimumRoundDuration: 0 });
    for (const wrong of [{ minimumRoundDuration: -1 }, { disabledTurbo: 'yes' }, 'none']) {
      const refused = await server.post('/session/start', { jurisdiction: wrong });
      expect([refused.status, refused.body.error]).toEqual([400, 'ERR_VAL']);
    }
  });

  it('POST /game/search shows a book as a preview, and no money moves', async () => {
    const sessionID = await server.liveSession({ balance: 7 * UNIT });
    const before = await snapshot(server, sessionID);
    const search = { bookID: BOOK.pays150 };
    const { status, body } = await server.post('/game/search', { sessionID, mode: 'ante', search });
    expect(status).toBe(200);
    expect(body.balance).toEqual({ amount: 7 * UNIT, currency: 'USD' });
    expect(body.round).toMatchObject({ betID: 0, active: false, mode: 'ANTE', payoutMultiplier: 1.5, event: null });
    expect((await server.post('/game/search', { mode: 'BASE', search })).status).toBe(200);
    expect(await snapshot(server, sessionID)).toEqual(before);
    expect((await server.post('/game/search', { mode: 'BASE', search: { bookID: 99 } })).status).toBe(404);
  });

  it('POST /game/force says what the next play of this session in this mode is, once', async () => {
    const sessionID = await server.liveSession();
    const bystander = await server.liveSession();
    await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays100000 });
    await server.playBook(bystander, BOOK.pays0);
    const other = await server.playBook(sessionID, BOOK.pays20, { mode: 'ANTE' });
    expect(other.body.round.payoutMultiplier).toBe(0.2);
    await server.post('/wallet/end-round', { sessionID });
    // A play that is refused does not use it up.
    await server.post('/wallet/play', { sessionID, amount: 250_000, mode: 'BASE' });
    const { body } = await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    expect(body.round.payoutMultiplier).toBe(1000);
    expect((await server.post('/game/force', { sessionID, mode: 'BASE', bookID: 99 })).status).toBe(404);
  });

  it('POST /game/force by kind: a book that is one, and which', async () => {
    const sessionID = await server.liveSession();
    const forced = async (kind: string, mode: string) => {
      const { body } = await server.post('/game/force', { sessionID, mode, kind });
      const played = await server.post('/wallet/play', { sessionID, amount: UNIT, mode });
      expect(played.body.round.payoutMultiplier).toBe((PAYOUTS[body.bookID] ?? Number.NaN) / 100);
      await server.post('/wallet/end-round', { sessionID });
      return [body.bookID, body.mode];
    };
    expect(await forced('loss', 'base')).toEqual([BOOK.pays0, 'BASE']);
    expect(await forced('small', 'BASE')).toEqual([BOOK.pays20, 'BASE']);
    expect(await forced('big', 'BASE')).toEqual([BOOK.pays100000, 'BASE']);
    expect(await forced('max', 'BASE')).toEqual([BOOK.pays100000, 'BASE']);
    expect(await forced('feature', 'ANTE')).toEqual([BOOK.pays100000, 'ANTE']);
    // A bet that costs a hundred is not won back by 1.5.
    expect([BOOK.pays20, BOOK.pays150]).toContain((await forced('small', 'BONUS'))[0]);
  });

  it('POST /game/force is for a session that another way than /session/start has issued, too', async () => {
    const { sessionID } = await issueTestSession(server, 'operators-player');
    await server.post('/wallet/authenticate', { sessionID });
    expect((await server.post('/game/force', { sessionID, kind: 'max' })).body).toEqual({
      bookID: BOOK.pays100000,
      mode: 'BASE',
    });
    const { body } = await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    expect(body.round.payoutMultiplier).toBe(1000);
  });
});

describe('in production', () => {
  const server = useCheckedServer({ local: false });

  it.each([...PATHS, '/game/faults'])('%s does not exist', async (path) => {
    const before = await snapshot(server, '');
    for (const body of [{}, { mode: 'BASE', search: { bookID: 1 } }, 'broken']) {
      const answer = await server.post(path, body);
      expect([answer.status, answer.body.error]).toEqual([404, 'ERR_VAL']);
    }
    for (const method of ['GET', 'PUT', 'DELETE']) expect((await server.send(path, { method })).status).toBe(404);
    expect(await snapshot(server, '')).toEqual(before);
  });

  it('there is no page for a game that brings none', async () => {
    expect((await server.send('/fixture/1.0.0/index.html')).status).toBe(404);
  });

  it('a session that was issued otherwise plays', async () => {
    const { sessionID } = await issueTestSession(server);
    expect((await server.post('/wallet/authenticate', { sessionID })).body.balance.amount).toBe(OPENING);
    const { body } = await server.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    expect(body.balance.amount).toBe(OPENING - UNIT);
    expect((await server.post('/wallet/end-round', { sessionID })).status).toBe(200);
  });
});

import { DEV_ROUTES, parseLaunchUrl } from '@roundhouse/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyBody } from '../proofs/fuzz/bodies.ts';
import { BOOK, PAYOUTS, writeFixtureGame } from '../support/fixtureGame.ts';
import { sendRaw } from '../support/rawHttp.ts';
import {
  balanceOf,
  expectAllRefused,
  expectNothingChanged,
  expectRefusal,
  expectRefused,
  snapshot,
} from '../support/snapshot.ts';
import { OPENING, serveGames, UNIT, useTestServer } from '../support/testServer.ts';
import { gameFileOf, writeStudioFolder } from '../support/writeStudioFolder.ts';

const server = useTestServer();
let sessionID: string;
beforeAll(async () => {
  sessionID = await server.liveSession();
});

const NO_SUCH_BOOK = 'no such book';
const NO_SUCH_GAME = 'no such game';
const NO_SESSION = 'the session is not known';

/** Lists bodies by the text that their refusal holds. */
const rows = (bodies: Record<string, object[]>) =>
  Object.entries(bodies).flatMap(([about, each]) => each.map((body): [object, string] => [body, about]));

async function expectNamed(call: { path: string; body: unknown }, about: string): Promise<void> {
  const code = about.startsWith('no such') ? 'NOT_FOUND' : about === NO_SESSION ? 'ERR_IS' : 'ERR_VAL';
  await expectRefused(server, call, code, about);
}

it.each(['/session/start', '/game/search', '/game/force'])('%s takes a POST of one JSON object alone', async (path) => {
  await expectNamed({ path, body: '[]' }, 'not a JSON object');
  for (const method of ['GET', 'PUT', 'DELETE'])
    expectRefusal(await expectNothingChanged(server, () => server.send(path, { method })), 'NOT_FOUND');
});

it.each([
  ['/session/start', { currency: 'EUR', language: 'fi', social: true, balance: UNIT, token: 'any', country: 'FI' }],
  ['/game/search', { mode: 'BASE', search: { bookID: 2 } }],
  ['/game/force', { mode: 'BASE', bookID: 2 }],
])('%s responds to any body within the contract', async (path, more) => {
  const good = { ...(path !== '/session/start' && { sessionID }), ...more };
  const property = fc.asyncProperty(anyBody(good), async (body) => {
    const { status, text } = await server.post(path, body);
    expect([200, 400, 404], text).toContain(status);
  });
  await fc.assert(property, { numRuns: 100 });
  expect((await server.post(path, good)).status).toBe(200);
  expect(server.logged().filter(({ level }) => level >= 50)).toEqual([]);
});

describe('/session/start', () => {
  it.each(
    rows({
      'currency: ': [{ currency: 'usd' }],
      'currency: DOGE is not a currency of ISO 4217': [{ currency: 'DOGE' }],
      [NO_SUCH_GAME]: [{ gameID: 'other' }, { gameID: 'FIXTURE' }, { gameID: '\u0000' }, { gameID: '__proto__' }],
    }),
  )('refuses %j', (body, about) => expectNamed({ path: '/session/start', body }, about));

  it.each([
    { token: '🎰'.repeat(128) },
    { token: "'; DROP TABLE players; --" },
    { language: '\u0000\ud800', device: '\u0000' },
    { balance: Number.MAX_SAFE_INTEGER },
    { meta: { deep: [1] }, operatorCode: 'other' },
    {},
  ])('takes %j, and the session authenticates', async (body) => {
    const started = await server.post('/session/start', body);
    expect(started.status).toBe(200);
    expect(new URL(started.body.url).searchParams.get('sessionID')).toBe(started.body.sessionID);
    const entered = await server.authenticate(started.body.sessionID);
    expect(entered.body.balance.amount).toBe(body.balance ?? OPENING);
  });

  it('finds the player of the token; gives balance to a new one only, and setBalance to any', async () => {
    const token = 'rich';
    for (const [options, balance] of [
      [{ token, balance: 7 * UNIT }, 7 * UNIT],
      [{ token, balance: 9 * UNIT }, 7 * UNIT],
      [{ token, setBalance: 3 * UNIT }, 3 * UNIT],
      [{ token, setBalance: 0, balance: UNIT }, 0],
      [{ token: 'other' }, OPENING],
      [{}, OPENING],
    ] as const)
      expect(await balanceOf(server, await server.newSession(options))).toBe(balance);
  });

  it('uses gameID, currency, language, device, social and country', async () => {
    const launch = { currency: 'XGC', language: 'pt-BR', device: 'mobile', social: true };
    const { body } = await server.post('/session/start', { ...launch, gameID: 'fixture', country: 'fi' });
    const { searchParams } = new URL(body.url);
    const shown = { currency: 'XGC', lang: 'pt', device: 'mobile', social: 'true' };
    const rgs = { sessionID: body.sessionID, rgs_url: new URL(server.url).host };
    expect(Object.fromEntries(searchParams)).toEqual({ ...rgs, ...shown });
    expect((await snapshot(server, body.sessionID)).session).toMatchObject({ country: 'FI' });
    expect((await server.configOf(body.sessionID)).jurisdiction.socialCasino).toBe(true);
  });

  it('leads to a page of the game, and to the node that issued it', async () => {
    const node = await server.startNode();
    const { url, sessionID } = (await node.post('/session/start', { device: 'tv' })).body;
    const launch = { kind: 'play', gameHost: node.url, gameID: 'fixture', gameVersion: '1.0.0', rgsUrl: node.url };
    expect(parseLaunchUrl(url)).toMatchObject({ ...launch, device: 'desktop' });
    expect((await node.authenticate(sessionID)).status).toBe(200);
  });
});

describe('/game/search', () => {
  const search = { bookID: 1 };

  it.each(
    rows({
      'search.bookID: ': [{ search: { bookID: 2 ** 53 } }],
      [NO_SESSION]: [{ sessionID: 'nobody' }],
      [NO_SUCH_BOOK]: [
        ...[{ search: { bookID: 99 } }, { search: { bookID: 0 } }, { mode: 'NONE' }, { mode: '__proto__' }],
        ...[{ gameID: 'other' }, { gameVersion: '9.9.9' }, { gameVersion: '\u0000' }],
      ],
    }),
  )('refuses %j', (change, about) =>
    expectNamed({ path: '/game/search', body: { mode: 'BASE', search, ...change } }, about),
  );

  it('refuses a session that is not authenticated', async () => {
    const issued = await server.newSession();
    await expectNamed({ path: '/game/search', body: { mode: 'BASE', search, sessionID: issued } }, NO_SESSION);
  });

  it('shows a book as a preview, and changes nothing', async () => {
    const sessionID = await server.liveSession({ balance: 7 * UNIT });
    const body = { sessionID, mode: 'ante', search: { bookID: String(BOOK.pays150) } };
    const found = await expectNothingChanged(server, () => server.post('/game/search', body));
    expect([found.status, found.body.balance]).toEqual([200, { amount: 7 * UNIT, currency: 'USD' }]);
    const preview = { betID: 0, active: false, mode: 'Ante', payoutMultiplier: 1.5, event: null };
    expect(found.body.round).toMatchObject(preview);
    expect((await server.post('/game/search', { mode: 'BASE', search })).status).toBe(200);
  });

  it('of several games takes the one that it names, that of its session, else that of the latest session', async () => {
    const books = [{ id: BOOK.pays150, payoutMultiplier: 150, events: '[{"index":0,"type":"other"}]' }];
    const other = await writeStudioFolder({ name: 'other', books, gameFile: gameFileOf({ id: 'other' }) });
    const node = await serveGames(server, [await writeFixtureGame(), other]);
    const wish = { mode: 'base', search: { bookID: BOOK.pays150 } };
    /**
     * Returns the type of the first event of the book, of a search for it and of one for any book.
     */
    const found = async (named: object) => {
      const { body } = await node.post('/game/search', { ...wish, ...named });
      const { body: any } = await node.post('/game/books', { mode: 'base', ...named });
      return [body.round?.state[0].type ?? body.message, any.eventTypes?.[0].type ?? any.message];
    };
    const several = 'gameID: has to name one of the games that are served: fixture, other';
    expect(await found({})).toEqual([several, several]);
    // The front ends of the publisher name neither a game nor a session.
    const session = await node.liveSession({ gameID: 'other' });
    expect(await found({})).toEqual(['other', 'other']);
    expect(await found({ gameID: 'fixture' })).toEqual(['reveal', 'reveal']);
    await node.liveSession({ gameID: 'fixture' });
    expect(await found({})).toEqual(['reveal', 'reveal']);
    expect(await found({ sessionID: session })).toEqual(['other', 'other']);
    const forced = await node.post('/game/force', { sessionID: session, mode: 'BASE', bookID: BOOK.pays150 });
    expect(forced.body).toEqual({ bookID: BOOK.pays150, mode: 'base' });
  });
});

describe('/game/force', () => {
  it.each(
    rows({
      'bookID: needs exactly one of bookID and kind': [{ kind: 'loss' }],
      [NO_SUCH_BOOK]: [{ bookID: 99 }, { mode: 'NONE' }, { bookID: undefined, kind: 'loss', mode: 'NONE' }],
      [NO_SESSION]: [{ sessionID: 'nobody' }, { bookID: undefined, kind: 'loss', sessionID: 'nobody' }],
    }),
  )('refuses %j', async (change, about) => {
    await expectNamed({ path: '/game/force', body: { sessionID, mode: 'BASE', bookID: 1, ...change } }, about);
  });

  it('sets the outcome of the next play of this session in this mode, once', async () => {
    const sessionID = await server.liveSession();
    const bystander = await server.liveSession();
    await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays100000 });
    await server.playBook(bystander, BOOK.pays0);
    const other = await server.playBook(sessionID, BOOK.pays20, { mode: 'ANTE' });
    expect(other.body.round.payoutMultiplier).toBe(0.2);
    await server.endRound(sessionID);
    const { body } = await server.play(sessionID);
    expect(body.round.payoutMultiplier).toBe(1000);
  });

  it('takes a book of a kind, and says which', async () => {
    const sessionID = await server.liveSession();
    const force = () => server.post('/game/force', { sessionID, mode: 'ante', kind: 'feature' });
    expect((await expectNothingChanged(server, force)).body).toEqual({ bookID: BOOK.pays100000, mode: 'Ante' });
    expect((await server.play(sessionID, { mode: 'ANTE' })).body.round.payoutMultiplier).toBe(1000);
  });

  it('refuses a kind of which the game has no book', async () => {
    const books = [{ id: 1, payoutMultiplier: 0, events: '[{"index":0}]' }];
    const node = await serveGames(server, [await writeStudioFolder({ name: 'loses', books })]);
    const sessionID = await node.liveSession({ gameID: 'loses' });
    const force = (kind: string) => node.post('/game/force', { sessionID, kind });
    expectRefusal(await force('max'), 'ERR_VAL', 'no book of this kind');
    expect((await force('loss')).body).toEqual({ bookID: 1, mode: 'base' });
  });
});

describe('/game/faults', () => {
  const fault = { kind: 'error', error: 'ERR_MAINTENANCE', share: 1 };
  const send = (method: string, body?: string) =>
    server.send('/game/faults', { method, ...(body !== undefined && { body }) });
  const put = (...faults: object[]) => send('PUT', JSON.stringify({ faults }));

  beforeAll(async () => {
    expect(await send('GET')).toMatchObject({ status: 200, body: { faults: [] } });
    // The fault has no end time.
    expect(await put(fault)).toMatchObject({ status: 200, body: { faults: [{ ...fault, seconds: 600 }] } });
    return async () => {
      expect((await send('DELETE')).body).toEqual({ faults: [] });
      expect((await server.balance(sessionID)).status).toBe(200);
    };
  });

  it.each([
    ['', 'empty'],
    ['{"faults":[{"kind":"lost_request","path":"/session/start","next":1}]}', 'faults.0.path: '],
  ])('keeps its plan when it refuses PUT with %.60s', async (body, about) => {
    expectRefusal(await expectNothingChanged(server, () => send('PUT', body)), 'ERR_VAL', about);
    const { body: plan, headers } = await send('GET');
    expect(plan).toEqual({ faults: [{ ...fault, seconds: expect.any(Number) }] });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each(['POST', 'PATCH'])('is not there for %s', async (method) => {
    expectRefusal(await expectNothingChanged(server, () => send(method)), 'NOT_FOUND');
  });

  it('applies to the game endpoints and to nothing else', async () => {
    await expectAllRefused(server, sessionID, 'ERR_MAINTENANCE');
    expect((await server.balance(sessionID)).headers.get('access-control-allow-origin')).toBe('*');
    expect((await server.post('/session/start', {})).status).toBe(200);
    for (const path of ['/bet/replay/fixture/1.0.0/BASE/1', '/healthz', '/readyz', '/openapi.json'])
      expect((await fetch(server.url + path)).status, path).toBe(200);
  });

  it('of one player leave the others alone', async () => {
    const [ann, bob] = [await server.newSession({ token: 'ann' }), await server.newSession({ token: 'bob' })];
    await put({ ...fault, playerID: 'ann' });
    expect((await server.authenticate(bob)).status).toBe(200);
    await expectAllRefused(server, ann, 'ERR_MAINTENANCE');
  });
});

describe('/game/books', () => {
  it('finds books of the mode, with their events and where to go on', async () => {
    const wanted = { mode: 'base', payout: { from: 1.5, to: 1.5 }, limit: 1 };
    const { status, body } = await server.post('/game/books', wanted);
    expect([status, body.bookCount]).toEqual([200, Object.keys(PAYOUTS).length]);
    expect(body.books).toMatchObject([{ bookID: BOOK.pays150, payoutMultiplier: 1.5 }]);
    const { body: rest } = await server.post('/game/books', { mode: 'BASE', from: body.next });
    expect(rest.books.every((book: { bookID: number }) => book.bookID > BOOK.pays150)).toBe(true);
    expect(rest.next).toBeNull();
  });

  it.each([
    [{ mode: 'none' }, 'NOT_FOUND', 'no such mode'],
    [{ mode: 'BASE', gameID: 'other' }, 'NOT_FOUND', 'no such mode'],
    [{ mode: 'BASE', with: 'win' }, 'ERR_VAL', 'with'],
  ] as const)('refuses %j', async (body, code, about) => {
    await expectRefused(server, { path: '/game/books', body }, code, about);
  });
});

/** Lists each way to the paths for local work, with a request that does its work. */
const LAUNCHES = ['/launch', '/launch/fixture'].map((path) => ({ method: 'GET', path }));
const WAYS = [...Object.values(DEV_ROUTES), ...LAUNCHES];
const WORK: Readonly<Record<string, object>> = {
  '/session/start': {},
  '/game/search': { mode: 'BASE', search: { bookID: 2 } },
  '/game/books': { mode: 'BASE' },
  '/game/faults': { faults: [] },
};

/** Returns the statuses of all ways, for a browser that knows the server by this host. */
async function statusesOf(headers: Record<string, string>): Promise<number[]> {
  const statuses = new Set<number>();
  for (const { method, path } of WAYS) {
    const body = method === 'GET' ? '' : JSON.stringify(WORK[path] ?? { sessionID, mode: 'BASE', bookID: 2 });
    const all = { 'Content-Type': 'text/plain', ...headers };
    const response = await sendRaw(server.url, method, path, { headers: all, body });
    statuses.add(response.status);
    if (response.status === 403) expect(response.body).toEqual({ error: 'ERR_VAL', message: expect.any(String) });
  }
  return [...statuses].sort();
}

const headersOf = (hosts: string[], origins: (string | undefined)[]) =>
  hosts.flatMap((Host) => origins.map((Origin) => ({ Host, ...(Origin !== undefined && { Origin }) })));

describe('the paths for local work, to which a page of elsewhere may have been pointed', () => {
  it.each<[hosts: string[], origins: (string | undefined)[]]>([
    // DNS rebinding: the name of the page has the address of this machine now.
    [['evil.example:4000'], [undefined, 'http://evil.example:4000']],
    [['evil.example.', '127.0.0.1.evil.example', 'localhost.evil.example:4000'], [undefined]],
    [['studio.example.evil.example', 'evil-tunnel.example', '127.0.0.1:4000@evil.example'], [undefined]],
    [['evil.example@127.0.0.1', 'evil.example/@localhost', '%6cocalhost.example', '%'], [undefined]],
    // A page of elsewhere sends a request that needs no preflight: its body is plain text.
    [['localhost:4000'], ['http://evil.example:4000', 'https://localhost.evil.example']],
    [['127.0.0.1:4000'], ['https://evil.example', 'http://203.0.113.7', 'null', 'file://', 'chrome-extension://a']],
  ])('refuse the hosts %j and the origins %j, and nothing changes', async (hosts, origins) => {
    const proxied = { 'X-Forwarded-Host': 'localhost', Forwarded: 'host=localhost' };
    for (const headers of headersOf(hosts, origins))
      expect(await expectNothingChanged(server, () => statusesOf({ ...headers, ...proxied }))).toEqual([403]);
  });

  it.each<[hosts: string[], origins: (string | undefined)[]]>([
    [['127.0.0.1:4000', 'localhost', 'LOCALHOST:4000', 'localhost.:4000', 'rgs.localhost:4000'], [undefined]],
    [['[::1]:4000'], ['http://localhost:5173']],
    // `--host 0.0.0.0` serves a phone in the same network, with Vite or without.
    [['192.168.1.20:4000'], [undefined, 'http://192.168.1.20:5173']],
    [['[fd00::20]:4000'], ['http://[fd00::20]:5173']],
    // --allow-host names these.
    [['Studio.Example', 'tunnel.example'], [undefined]],
    [['studio.example:4000', 'localhost:4000'], ['https://studio.example']],
    [['a.tunnel.example'], ['https://b.tunnel.example']],
  ])('serve the hosts %j and the origins %j', async (hosts, origins) => {
    for (const headers of headersOf(hosts, origins)) expect(await statusesOf(headers)).toEqual([200, 302]);
  });
});

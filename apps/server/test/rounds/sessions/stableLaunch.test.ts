import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAndPublish } from '../../../src/rounds/games/loadCatalogue.ts';
import { launchBody, operatorClient, useOperators } from '../../operators/api/operatorClient.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { sendRaw } from '../../support/rawHttp.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { OPENING, serveGames, UNIT, useTestServer } from '../../support/testServer.ts';
import { gameFileOf, writeStudioFolder } from '../../support/writeStudioFolder.ts';

const server = useTestServer();
const { house } = useOperators(server);

/** Returns where the launch address leads. */
async function follow(path: string, url = server.url): Promise<URL> {
  const response = await fetch(url + path, { redirect: 'manual' });
  expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'no-store']);
  return new URL(response.headers.get('location') ?? '');
}

const sessionOf = ({ searchParams }: URL) => searchParams.get('sessionID') ?? '';
const playerOf = async (url: URL) => (await server.authenticate(sessionOf(url))).body;

/** Returns where a phone is led that knows this machine by this host. */
async function followFrom(Host: string, url: string): Promise<string> {
  return (await sendRaw(url, 'GET', '/launch', { headers: { Host } })).headers.get('location') ?? '';
}

describe('GET /launch', () => {
  it('leads to a new session of one test player on the current version', async () => {
    const first = await follow('/launch');
    expect(`${first.origin}${first.pathname}`).toBe(`${server.url}/fixture/1.0.0/index.html`);
    const second = await follow('/launch/fixture');
    expect(sessionOf(second)).not.toBe(sessionOf(first));
    await playerOf(first);
    await server.playBook(sessionOf(first), BOOK.pays0);
    await server.endRound(sessionOf(first));
    expect((await playerOf(second)).balance.amount).toBe(OPENING - UNIT);
  });

  it('keeps the parameters of its query', async () => {
    const { searchParams } = await follow('/launch?lang=fi&device=mobile&currency=eur&social=true&debug=1&token=anna');
    const kept = { lang: 'fi', device: 'mobile', currency: 'EUR', social: 'true', debug: '1' };
    const added = { sessionID: expect.any(String), rgs_url: new URL(server.url).host };
    expect(Object.fromEntries(searchParams)).toEqual({ ...kept, ...added });
    const session = await server.db.session.findFirstOrThrow({ orderBy: { id: 'desc' }, include: { player: true } });
    expect(session.player.externalId).toBe('anna');
  });

  it('keeps pages of the web, and no others', async () => {
    const pages = {
      returnURL: 'https://casino.example/',
      cashierURL: 'javascript:alert(1)',
      historyURL: ' https://a.b',
    };
    const { searchParams } = await follow(`/launch?${new URLSearchParams(pages)}`);
    expect([...searchParams.keys()].filter((name) => name.endsWith('URL'))).toEqual(['returnURL']);
  });

  it('reads the social flag as a front end does: the session and its page agree', async () => {
    const url = await follow('/launch?social=1&token=social-flag');
    expect(url.searchParams.get('social')).toBe('true');
    expect((await playerOf(url)).config.jurisdiction.socialCasino).toBe(true);
  });

  it('makes no player with a name that hides something', async () => {
    const { status, body } = await server.send('/launch?token=a%0Ab');
    expect([status, body.error, body.message]).toEqual([400, 'ERR_VAL', expect.stringContaining('token: ')]);
  });

  it('keeps a session that can go on', async () => {
    const sessionID = await server.liveSession({ currency: 'EUR' });
    const url = await follow(`/launch?sessionID=${sessionID}&lang=de&currency=USD`);
    expect([sessionOf(url), url.searchParams.get('lang')]).toEqual([sessionID, 'de']);
    // The currency is the one of the session.
    expect(url.searchParams.get('currency')).toBe('EUR');
  });

  it.each([
    ['has expired', { expiresAt: new Date(0) }],
    ['was revoked', { state: 'revoked' as const }],
  ])('gives the player of a session that %s a new one', async (_, data) => {
    const token = `player ${_}`;
    const sessionID = await server.liveSession({ token, setBalance: 7 * UNIT });
    const { id } = await server.db.session.findFirstOrThrow({ orderBy: { id: 'desc' } });
    await server.db.session.update({ where: { id }, data });
    const url = await follow(`/launch?sessionID=${sessionID}`);
    expect(sessionOf(url)).not.toBe(sessionID);
    expect((await playerOf(url)).balance.amount).toBe(7 * UNIT);
  });

  it('gives a new session in place of an unknown one', async () => {
    expect(sessionOf(await follow('/launch?sessionID=nobody-knows'))).not.toBe('nobody-knows');
  });

  it('gives a phone the address by which it reaches this machine', async () => {
    const host = `192.168.1.20:${new URL(server.url).port}`;
    const { origin, searchParams } = new URL(await followFrom(host, server.url));
    expect([origin, searchParams.get('rgs_url')]).toEqual([`http://${host}`, `http://${host}`]);
  });

  it('refuses a game that is not served, and a currency that is not offered', async () => {
    expect(await server.send('/launch/none')).toMatchObject({ status: 404, body: { error: 'ERR_VAL' } });
    const unit = { minBet: UNIT, maxBet: UNIT, stepBet: UNIT, defaultBetLevel: UNIT, betLevels: [] };
    const gameFile = gameFileOf({ id: 'yen', betLimits: { JPY: unit } });
    const books = [{ id: 1, payoutMultiplier: 0, events: '[{"index":0}]' }];
    const written = await writeStudioFolder({ name: 'yen', books, gameFile });
    const node = await serveGames(server, [{ ...written, storeFolder: `${written.folder}-store` }]);
    expect((await follow('/launch', node.url)).searchParams.get('currency')).toBe('JPY');
    expectRefusal(await node.send('/launch?currency=EUR'), 'ERR_VAL', 'the game is not offered in this currency');
    expectRefusal(await node.send('/launch?currency=eux'), 'ERR_VAL', 'currency: EUX is not a currency of ISO 4217');
  });
});

describe('with a front end that is served elsewhere', () => {
  const frontendUrl = 'http://localhost:5173/slot/?debug=1#/reels';

  function expectPage(url: URL, rgsUrl: string): void {
    expect([url.origin, url.pathname, url.hash]).toEqual(['http://localhost:5173', '/slot/', '#/reels']);
    const names = ['currency', 'debug', 'device', 'lang', 'rgs_url', 'sessionID'];
    expect([...url.searchParams.keys()].sort()).toEqual(names);
    expect(url.searchParams.get('rgs_url')).toBe(new URL(rgsUrl).host);
  }

  it('/launch, /session/start and the launch API lead to its page', async () => {
    const node = await server.startNode({ frontendUrl });
    expectPage(await follow('/launch', node.url), node.url);
    expectPage(new URL((await node.post('/session/start', {})).body.url), node.url);
    const launched = await operatorClient(node.url, await house()).launch(launchBody());
    expectPage(new URL(launched.body.url), node.url);
    // A phone gets the page at the address by which it reaches this machine.
    expect(await followFrom('10.0.0.5:4000', node.url)).toMatch(
      /^http:\/\/10\.0\.0\.5:5173\/slot\/\?debug=1&sessionID=/,
    );
  });
});

it('a session of an older version is replaced by one of the version that is served now', async () => {
  const next = await writeStudioFolder({
    name: 'fixture',
    books: [{ id: BOOK.pays150, payoutMultiplier: 700, events: '[{"version":"next"}]' }],
    gameFile: gameFileOf({ id: 'fixture' }),
  });
  onTestFinished(next.remove);
  const sessionID = await server.liveSession({ token: 'patient' });
  const { round } = (await server.playBook(sessionID, BOOK.pays150)).body;

  const options = { db: server.db, storeFolder: `${next.folder}-store`, versionByContent: true, warn: () => {} };
  const loaded = await loadAndPublish(options, next.folder);
  if (!loaded.ok) throw new Error(loaded.issues.join('\n'));
  const { version } = await server.catalogue.serve(loaded.game);
  expect(version).toMatch(/^1\.0\.0-[0-9a-f]{8}$/);

  const url = await follow(`/launch?sessionID=${sessionID}`);
  expect(url.pathname).toBe(`/fixture/${version}/index.html`);
  expect((await fetch(url)).status).toBe(200);
  expect(sessionOf(url)).not.toBe(sessionID);
  expect((await playerOf(url)).round).toEqual(round);
  const played = await server.endRound(sessionOf(url)).then(() => server.play(sessionOf(url)));
  expect(played.body.round).toMatchObject({ payoutMultiplier: 7, state: [{ version: 'next' }] });
});

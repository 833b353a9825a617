import { buildReplayUrl, LAUNCH_FAULT_MESSAGES, parseLaunchUrl, toMicros } from '@roundhouse/contract';
import { describe, expect, test } from 'vitest';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';

const server = useCheckedServer();

async function launch(options: Record<string, unknown> = {}): Promise<URL> {
  const { status, body } = await server.post('/session/start', options);
  expect(status).toBe(200);
  return new URL(body.url);
}

/** What a front end reads when this parameter is another one, or is not there. */
async function readWith(name: string, value: string | undefined) {
  const url = await launch();
  if (value === undefined) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return parseLaunchUrl(url.href);
}

describe('Launch URL', () => {
  test('carries sessionID, lang, device, rgs_url and currency, and social when it is on', async () => {
    const plain = await launch({ currency: 'XSC' });
    expect([...plain.searchParams.keys()].sort()).toEqual(['currency', 'device', 'lang', 'rgs_url', 'sessionID']);
    const social = await launch({ currency: 'XGC', social: true });
    expect(social.searchParams.get('social')).toBe('true');
    const sessionID = social.searchParams.get('sessionID');
    expect(parseLaunchUrl(social.href)).toMatchObject({ kind: 'play', sessionID, currency: 'XGC', social: true });
    const entered = await server.post('/wallet/authenticate', { sessionID });
    expect(entered.body.config.jurisdiction.socialCasino).toBe(true);
    expect(await readWith('demo', 'true')).toMatchObject({ kind: 'play', demo: true });
  });

  test('rgs_url is a bare host and port here, and leads to this server over http', async () => {
    const url = await launch();
    expect(url.searchParams.get('rgs_url')).toBe(new URL(server.url).host);
    expect(parseLaunchUrl(url.href)).toMatchObject({ rgsUrl: server.url });
  });

  test.each([
    ['rgs.example.com', 'https://rgs.example.com'],
    ['rgs.example.com:8443/eu/', 'https://rgs.example.com:8443/eu'],
    ['localhost:4000', 'http://localhost:4000'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['[::1]:4000', 'http://[::1]:4000'],
    ['https://rgs.example.com/path', 'https://rgs.example.com/path'],
    ['http://rgs.example.com', 'http://rgs.example.com'],
  ])('rgs_url %s is %s', async (given, rgsUrl) => {
    expect(await readWith('rgs_url', given)).toMatchObject({ kind: 'play', rgsUrl });
  });

  test.each([
    ['xx', 'en'],
    ['br', 'pt'],
    ['pt-BR', 'pt'],
    ['', 'en'],
    [undefined, 'en'],
  ])('lang %j is %s', async (given, language) => {
    expect(await readWith('lang', given)).toMatchObject({ kind: 'play', language });
    if (given) expect((await launch({ language: given })).searchParams.get('lang')).toBe(language);
  });

  test.each([
    ['tv', 'desktop'],
    ['mobile', 'mobile'],
    [undefined, 'desktop'],
  ])('device %j is %s', async (given, device) => {
    expect(await readWith('device', given)).toMatchObject({ kind: 'play', device });
    if (given) expect((await launch({ device: given })).searchParams.get('device')).toBe(device);
  });

  test.each([
    ['sessionID', 'missing-session'],
    ['rgs_url', 'missing-rgs-url'],
  ] as const)('a missing %s is an error that the player sees', async (name, fault) => {
    expect(await readWith(name, undefined)).toEqual({ kind: 'fault', fault });
    expect(LAUNCH_FAULT_MESSAGES[fault]).toContain(name);
  });

  test('of a replay names the book, whose page and answer are there', async () => {
    const url = buildReplayUrl({
      gameHost: server.url,
      game: 'fixture',
      version: '1.0.0',
      mode: 'BASE',
      event: String(BOOK.pays150),
      amount: toMicros(2 * UNIT),
      rgsUrl: server.url,
      language: 'en',
      device: 'desktop',
    });
    const { pathname, searchParams } = new URL(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      replay: 'true',
      game: 'fixture',
      version: '1.0.0',
      mode: 'BASE',
      event: '2',
      amount: '2000000',
    });
    expect((await server.send(pathname)).status).toBe(200);
    const read = parseLaunchUrl(url);
    if (read.kind !== 'replay') throw new Error('not a replay');
    const { game, version, mode, event } = read;
    const replayed = await server.send(`/bet/replay/${game}/${version}/${mode}/${event}`);
    expect(replayed.body).toMatchObject({ payoutMultiplier: 1.5, costMultiplier: 1 });
  });

  test('opens a session that plays', async () => {
    const sessionID = (await launch()).searchParams.get('sessionID') ?? '';
    const { body } = await server.post('/wallet/authenticate', { sessionID });
    expect(body.balance).toEqual({ amount: OPENING, currency: 'USD' });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURRENCY_CODES, DEVICES, LANGUAGES, type Language } from './displayFacts.ts';
import {
  buildLaunchUrl,
  buildReplayUrl,
  LAUNCH_ISSUE_MESSAGES,
  LAUNCH_PAGES,
  type LaunchIssue,
  type LaunchParams,
  parseLaunchUrl,
  type ReplayParams,
} from './launchUrl.ts';
import { MAX_MICROS, toMicros } from './money.ts';
import { resolveRgsUrl } from './rgsUrl.ts';

const play: LaunchParams = {
  gameHost: 'https://games.example.com',
  gameID: 'lines',
  gameVersion: '1.0.0',
  sessionID: 'abc 123&é',
  rgsUrl: 'https://rgs.example.com',
  language: 'fi',
  device: 'mobile',
};
const replay: ReplayParams = {
  gameHost: 'localhost:4000/games',
  game: 'lines',
  version: '1.0.0',
  mode: 'BONUS',
  event: '4711',
  amount: toMicros(1_000_000),
  rgsUrl: 'http://localhost:4000',
  language: 'en',
  device: 'desktop',
};

const text = (maxLength: number) => fc.string({ unit: 'binary', minLength: 1, maxLength });
const segment = text(12).filter((name) => name !== '.' && name !== '..');
const address = fc.oneof(
  fc.domain().map((host) => `https://${host}`),
  fc
    .webUrl()
    .filter((url) => resolveRgsUrl(url) !== undefined)
    .map((url) => resolveRgsUrl(url) ?? ''),
  fc.constantFrom('http://localhost:4000', 'https://[::1]:4000/rgs', 'http://10.0.0.2/a/b'),
);
const settings = {
  rgsUrl: address,
  language: fc.constantFrom(...(Object.keys(LANGUAGES) as Language[])),
  device: fc.constantFrom(...DEVICES),
};
const page = fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] });
const extras = {
  currency: fc.constantFrom(...CURRENCY_CODES),
  social: fc.boolean(),
  demo: fc.boolean(),
  returnURL: page,
  cashierURL: page,
  historyURL: page,
  responsibleGamblingURL: page,
};
const anyPlay = fc.record(
  { gameHost: address, gameID: segment, gameVersion: segment, sessionID: text(256), ...settings, ...extras },
  { requiredKeys: ['gameHost', 'gameID', 'gameVersion', 'sessionID', 'rgsUrl', 'language', 'device'] },
);
const amount = fc.integer({ min: 1, max: MAX_MICROS }).map(toMicros);
const anyReplay = fc.record(
  {
    gameHost: address,
    game: segment,
    version: segment,
    mode: text(12),
    event: text(12),
    amount,
    ...settings,
    ...extras,
  },
  { requiredKeys: ['gameHost', 'game', 'version', 'mode', 'event', 'amount', 'rgsUrl', 'language', 'device'] },
);

describe('buildLaunchUrl', () => {
  it('is {game_host}/<game_id>/<game_version>/index.html with the query of the protocol', () => {
    const url = new URL(buildLaunchUrl(play));
    expect(url.origin + url.pathname).toBe('https://games.example.com/lines/1.0.0/index.html');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      sessionID: 'abc 123&é',
      lang: 'fi',
      device: 'mobile',
      rgs_url: 'https://rgs.example.com',
    });
  });

  it('adds currency, social and demo when they are given', () => {
    const url = new URL(buildLaunchUrl({ ...play, currency: 'XGC', social: true, demo: false }));
    expect(url.search).toMatch(/&currency=XGC&social=true&demo=false$/);
  });

  it.each(LAUNCH_PAGES)('carries %s as one parameter, whatever that page has in its own query', (name) => {
    const address = 'https://casino.example.com/lobby?a=1&b=ä#top';
    const href = buildLaunchUrl({ ...play, [name]: address });
    expect(new URL(href).searchParams.get(name)).toBe(address);
    expect(parseLaunchUrl(href)).toEqual({ kind: 'play', ...play, [name]: address });
  });

  it('writes the server address as it is given, for front ends that want a bare host', () => {
    const href = buildLaunchUrl({ ...play, rgsUrl: 'rgs.example.com' });
    expect(new URL(href).searchParams.get('rgs_url')).toBe('rgs.example.com');
    expect(parseLaunchUrl(href)).toMatchObject({ kind: 'play', rgsUrl: 'https://rgs.example.com' });
  });

  it.each<[string, Partial<LaunchParams>]>([
    ['an empty sessionID', { sessionID: '' }],
    ['a sessionID of 257 characters', { sessionID: 'x'.repeat(257) }],
    ['half a surrogate pair', { sessionID: '\uD83D' }],
    ['an empty game id', { gameID: '' }],
    ['a version of dots', { gameVersion: '..' }],
    ['half a surrogate pair in the game id', { gameID: '\uD83D' }],
    ['a server address that is none', { rgsUrl: 'javascript:alert(1)' }],
    ['a game host that is none', { gameHost: '/games' }],
    ...LAUNCH_PAGES.flatMap((name): [string, Partial<LaunchParams>][] => [
      [`a ${name} that runs a script`, { [name]: 'javascript:alert(1)' }],
      [`a ${name} that is no whole address`, { [name]: '/lobby' }],
      [`a line break in ${name}`, { [name]: 'https://casino.example.com/\nlobby' }],
      [`an empty ${name}`, { [name]: '' }],
      [`half a surrogate pair in ${name}`, { [name]: 'https://casino.example.com/\uD83D' }],
    ]),
  ])('throws on %s', (_, change) => expect(() => buildLaunchUrl({ ...play, ...change })).toThrow(RangeError));

  it('is read back by parseLaunchUrl as it went in', () => {
    const property = fc.property(anyPlay, (params) => {
      expect(parseLaunchUrl(buildLaunchUrl(params))).toEqual({ kind: 'play', ...params });
    });
    fc.assert(property);
  });
});

describe('buildReplayUrl', () => {
  it('carries replay, game, version, mode, event and amount, and no session', () => {
    const url = new URL(buildReplayUrl(replay));
    expect(url.origin + url.pathname).toBe('http://localhost:4000/games/lines/1.0.0/index.html');
    expect(url.search).toContain('?replay=true&game=lines&version=1.0.0&mode=BONUS&event=4711&amount=1000000&');
    expect(url.searchParams.has('sessionID')).toBe(false);
  });

  it.each<[string, Partial<ReplayParams>]>([
    ['an empty mode', { mode: '' }],
    ['an empty event', { event: '' }],
    ['half a surrogate pair in the mode', { mode: '\uDE00' }],
    ['an amount of zero', { amount: toMicros(0) }],
    ['a negative amount', { amount: toMicros(-1) }],
  ])('throws on %s', (_, change) => expect(() => buildReplayUrl({ ...replay, ...change })).toThrow(RangeError));

  it('carries how a currency of the server is shown', () => {
    const facts = { code: 'BTC', kind: 'regular', symbol: '₿', decimals: 8, symbolSide: 'before' } as const;
    const currencyFacts = { ...facts, wireUnitsPerUnit: 100 };
    const url = buildReplayUrl({ ...replay, currency: 'BTC', currencyFacts });
    expect(parseLaunchUrl(url)).toMatchObject({ currency: 'BTC', currencyFacts });
    expect(parseLaunchUrl(url.replace(/currencyFacts=[^&]*/, 'currencyFacts=1'))).not.toHaveProperty('currencyFacts');
  });

  it('is read back by parseLaunchUrl as it went in', () => {
    const property = fc.property(anyReplay, (params) => {
      expect(parseLaunchUrl(buildReplayUrl(params))).toEqual({ kind: 'replay', ...params });
    });
    fc.assert(property);
  });
});

describe('parseLaunchUrl', () => {
  const base = 'https://games.example.com/lines/1/index.html';

  it('needs no session for fun, when it knows the game', () => {
    const fun = { kind: 'play', sessionID: '', demo: true, gameID: 'lines', gameVersion: '1' };
    expect(parseLaunchUrl(`${base}?demo=true&rgs_url=rgs.example.com`)).toMatchObject(fun);
    const elsewhere = 'http://localhost:5173/?demo=1&rgs_url=localhost:4000';
    expect(parseLaunchUrl(`${elsewhere}&game=lines&version=1`)).toMatchObject(fun);
    expect(parseLaunchUrl(elsewhere)).toEqual({ kind: 'unusable', issue: 'missing-session' });
    expect(parseLaunchUrl(`${base}?demo=false&rgs_url=rgs.example.com`)).toMatchObject({ issue: 'missing-session' });
  });

  it('falls back to English, desktop and no currency', () => {
    const href = `${base}?sessionID=s&rgs_url=rgs.example.com&lang=hu&device=watch&currency=%E2%82%AC&social=perhaps`;
    expect(parseLaunchUrl(href)).toEqual({
      kind: 'play',
      sessionID: 's',
      rgsUrl: 'https://rgs.example.com',
      language: 'en',
      device: 'desktop',
      gameHost: 'https://games.example.com',
      gameID: 'lines',
      gameVersion: '1',
    });
  });

  describe.each(LAUNCH_PAGES)('%s', (name) => {
    it.each([
      'javascript:alert(1)',
      'java\nscript:alert(1)',
      'https://a.example.com/\nb',
      'data:text/html,x',
      '/lobby',
      '//evil.example.com',
      '',
    ])('leads nowhere at %j', (bad) => {
      const launch = parseLaunchUrl(`${base}?sessionID=s&rgs_url=rgs.example.com&${name}=${encodeURIComponent(bad)}`);
      expect(launch.kind).toBe('play');
      expect(launch).not.toHaveProperty(name);
    });
  });

  it('is generous with case, region and flags', () => {
    const href = `${base}?sessionID=s&rgs_url=localhost:4000&lang=br&device=MOBILE&currency=xsc&social=1&demo=0`;
    expect(parseLaunchUrl(href)).toMatchObject({
      language: 'pt',
      device: 'mobile',
      currency: 'XSC',
      social: true,
      demo: false,
      rgsUrl: 'http://localhost:4000',
    });
  });

  it.each([
    'http://localhost:5173/',
    'http://localhost:5173/index.html',
    'https://h/%E0/1/index.html',
    'file:///a/b/index.html',
  ])('plays from %s, which does not say the game', (page) => {
    const launch = parseLaunchUrl(`${page}?sessionID=s&rgs_url=localhost:4000`);
    expect(launch.kind).toBe('play');
    expect(launch).not.toHaveProperty('gameID');
    expect(launch).not.toHaveProperty('gameHost');
  });

  it('shows a replay without an amount at one unit', () => {
    const href = `${base}?replay=true&game=g&version=1&mode=base&event=0&rgs_url=rgs.example.com`;
    expect(parseLaunchUrl(href)).toMatchObject({ kind: 'replay', amount: 1_000_000, event: '0' });
    const elsewhere = parseLaunchUrl(href.replace(base, 'http://localhost:5173/'));
    expect(elsewhere.kind).toBe('replay');
    expect(elsewhere).not.toHaveProperty('gameHost');
  });

  it.each<[string, LaunchIssue]>([
    ['index.html?sessionID=s', 'not-a-url'],
    ['', 'not-a-url'],
    [`${base}?sessionID=s`, 'missing-rgs-url'],
    [`${base}?sessionID=s&rgs_url=`, 'missing-rgs-url'],
    [`${base}?sessionID=s&rgs_url=javascript:alert(1)`, 'bad-rgs-url'],
    [`${base}?rgs_url=rgs.example.com`, 'missing-session'],
    [`${base}?sessionID=&rgs_url=rgs.example.com`, 'missing-session'],
    [`${base}?rgs_url=rgs.example.com&sessionID=${'x'.repeat(257)}`, 'bad-session'],
    ...['game', 'version', 'mode', 'event'].map((missing): [string, LaunchIssue] => {
      const query = new URLSearchParams({ replay: 'true', game: 'g', version: '1', mode: 'base', event: '1' });
      query.delete(missing);
      return [`${base}?${query}&rgs_url=rgs.example.com`, 'missing-replay-parameter'];
    }),
    ...['0', '-1', '1.5', '1e6', '9007199254740992', 'x', ' 1'].map((amountText): [string, LaunchIssue] => [
      `${base}?replay=true&game=g&version=1&mode=base&event=1&rgs_url=rgs.example.com&amount=${encodeURIComponent(amountText)}`,
      'bad-replay-amount',
    ]),
  ])('says why %s cannot be used', (href, issue) => {
    expect(parseLaunchUrl(href)).toEqual({ kind: 'unusable', issue });
    expect(LAUNCH_ISSUE_MESSAGES[issue]).not.toBe('');
  });

  it('never throws', () => {
    const query = fc.dictionary(
      fc.constantFrom('sessionID', 'rgs_url', 'replay', 'amount', 'event', 'lang'),
      fc.string({ unit: 'binary' }),
    );
    const href = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.webUrl(), query).map(([page, values]) => `${page}?${new URLSearchParams(values)}`),
    );
    const property = fc.property(href, (value) => {
      expect(['play', 'replay', 'unusable']).toContain(parseLaunchUrl(value).kind);
    });
    fc.assert(property);
  });
});

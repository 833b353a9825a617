import { randomUUID } from 'node:crypto';
import { LAUNCH_PAGES, parseLaunchUrl } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { fixtureCommitment } from '../../support/fixtureGame.ts';
import { expectNothingChanged, expectRefusal } from '../../support/snapshot.ts';
import { UNIT, useTestServer } from '../../support/testServer.ts';
import { addHouseOperator, INVALID, launchBody, operatorClient, refusalOf, useOperators } from './operatorClient.ts';

const server = useTestServer();
const { house, seamless } = useOperators(server);

describe('the games', () => {
  it('each with its current version, currencies, modes, and statistics and commitments of each mode', async () => {
    const { body } = await (await house()).games();
    expect(body.currencies).toEqual([]);
    expect(body.languages.join(' ')).toBe('ar de en es fi fr hi id ja ko pl pt ru tr vi zh');
    // Four books of one weight pay 0, 1.5, 0.2 and 1000 × the bet.
    const mean = 1001.7 / 4;
    const deviation = Math.sqrt((1.5 ** 2 + 0.2 ** 2 + 1000 ** 2) / 4 - mean ** 2);
    const ofMode = (name: string, costMultiplier: number, volatility: string) => {
      const [rtp, standardDeviation] = [mean, deviation].map((value) => expect.closeTo(value / costMultiplier, 8));
      const statistics = { costMultiplier, volatility, rtp, standardDeviation, hitRate: 0.75, maxWin: 1000 };
      return { mode: name.toUpperCase(), ...statistics, table: fixtureCommitment(name) };
    };
    const statistics = [
      ...[ofMode('base', 1, 'high'), ofMode('Ante', 1.25, 'high')],
      ...[ofMode('BONUS', 100, 'low'), ofMode('AUTO', 1, 'high')],
    ];
    const game = { gameID: 'fixture', version: '1.0.0', title: 'Fixture', draws: 'certified', hasFrontend: false };
    const bets = server.catalogue.current('fixture')?.betLimits;
    const currencies = server.catalogue.current('fixture')?.currencies;
    expect(body.games).toEqual([{ ...game, currencies, modes: ['BASE', 'ANTE', 'BONUS', 'AUTO'], statistics, bets }]);
  });

  it('in the currencies of the operator, when it has named some', async () => {
    const { body } = await (await house({ currencies: ['EUR', 'USD'] })).games();
    expect(body.games[0].currencies.toSorted()).toEqual(['EUR', 'USD']);
  });
});

it('a session that was unknown a moment before its launch is known at once after it', async () => {
  const client = await house();
  // It may be any text.
  const sessionID = `${client.code}:${randomUUID()} 🎰 "\\'\n\0;--`;
  expect((await server.post('/wallet/balance', { sessionID })).body.error).toBe('ERR_IS');
  expect((await client.launch(launchBody({ sessionID }))).status).toBe(200);
  expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200);
});

describe.each([
  ['of the house wallet', house],
  ['with a seamless wallet', seamless],
])('a launch for an operator %s', (_, operator) => {
  it('returns a launch URL with every setting', async () => {
    const client = await operator();
    const settings = { lang: 'BR', device: 'MOBILE', social: true, currency: 'EUR' };
    const pages = Object.fromEntries(LAUNCH_PAGES.map((name) => [name, `https://casino.example.com/?a=${name}`]));
    const { status, body } = await client.launch(launchBody({ ...settings, ...pages }));
    expect(status).toBe(200);
    const game = { kind: 'play', gameHost: server.url, gameID: 'fixture', gameVersion: '1.0.0', rgsUrl: server.url };
    const session = { sessionID: body.sessionID, language: 'pt', device: 'mobile', currency: 'EUR', social: true };
    expect(parseLaunchUrl(body.url)).toEqual({ ...game, ...session, ...pages });
    expect(body.sessionID.startsWith(`${client.code}:`)).toBe(true);
  });

  it('falls back to English and desktop, and leaves out what was not set', async () => {
    const { body } = await (await operator()).launch(launchBody({ lang: 'xx', device: 'watch' }));
    const launch = parseLaunchUrl(body.url);
    expect(launch).toMatchObject({ language: 'en', device: 'desktop' });
    for (const name of ['social', 'demo', ...LAUNCH_PAGES]) expect(launch).not.toHaveProperty(name);
  });

  it("takes the operator's own sessionID, once", async () => {
    const client = await operator();
    const sessionID = `own/session?${randomUUID()} ä%`;
    expect((await client.launch(launchBody({ sessionID }))).body.sessionID).toBe(sessionID);
    const other = await house();
    await expectNothingChanged(server, async () => {
      for (const again of [client, other])
        expect(refusalOf(await again.launch(launchBody({ sessionID })))).toEqual(INVALID);
    });
  });

  it('is made once of several at once with one sessionID', async () => {
    const client = await operator();
    const sessionID = randomUUID();
    const responses = await Promise.all([1, 2, 3, 4].map(() => client.launch(launchBody({ sessionID }))));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it('refuses a sessionID with the prefix of any other operator, also of a later one; its own prefix is good', async () => {
    const [client, other] = [await operator(), await house()];
    for (const prefix of [other.code, 'nobody-yet', client.code.toUpperCase(), ` ${client.code}`]) {
      const launch = () => client.launch(launchBody({ sessionID: `${prefix}:${randomUUID()}` }));
      expect(refusalOf(await expectNothingChanged(server, launch)), prefix).toEqual(INVALID);
    }
    const own = `${client.code}:${randomUUID()}:more`;
    expect((await client.launch(launchBody({ sessionID: own }))).body.sessionID).toBe(own);
  });

  it.each<[object, status?: number]>([
    [{ gameID: 'unknown' }, 404],
    [{ currency: 'XXX' }],
    ...[undefined, '', 'a\u0000b'].map((token): [object] => [{ token }]),
    ...['a\nb', 'a\u001bb', 'a\u202eb'].map((playerID): [object] => [{ playerID }]),
    ...['x'.repeat(257), '\ud83d'].map((sessionID): [object] => [{ sessionID }]),
    ...['javascript:alert(1)', '/lobby', 'https://a.example.com/\ud83d'].map((page): [object] => [{ returnURL: page }]),
    ...LAUNCH_PAGES.flatMap((name): [object][] => [
      [{ [name]: `https://a.example.com/${'x'.repeat(2048)}` }],
      [{ [name]: 'https://a.example.com/\n' }],
      [{ [name]: ' https://a.example.com' }],
    ]),
    [{ country: 'Finland' }],
    [{ jurisdiction: { disabledTurbo: 'yes' } }],
    [{ jurisdiction: { disableTurbo: true } }],
  ])('refuses %j, and nothing is stored', async (more, status = 400) => {
    const client = await operator();
    const response = await expectNothingChanged(server, () => client.launch(launchBody(more)));
    expect(refusalOf(response)).toEqual([status, 'ERR_VAL']);
  });

  it('uses an extra language once it is switched on for the operator', async () => {
    const languageOf = async (client: Awaited<ReturnType<typeof operator>>) =>
      new URL((await client.launch(launchBody({ lang: 'nb-NO' }))).body.url).searchParams.get('lang');
    expect(await languageOf(await operator())).toBe('en');
    const client = await operator({ languages: ['no'] });
    expect(await languageOf(client)).toBe('no');
    expect((await client.games()).body.languages).toContain('no');
  });

  it('refuses a currency that the game has and the operator does not, and one that nobody has in other words', async () => {
    const client = await operator({ currencies: ['EUR'] });
    const launch = (currency: string) => client.launch(launchBody({ currency }));
    expect((await launch('EUR')).status).toBe(200);
    expectRefusal(await launch('USD'), 'ERR_VAL', 'the game is not offered to this operator in this currency');
    expectRefusal(await launch('EUX'), 'ERR_VAL', 'currency: EUX is not a currency of ISO 4217');
  });
});

it.each(['a\nb', 'a\u001bb', 'a\u202eb'])('the token %j names no player of the house', async (token) => {
  const client = await house();
  const response = await expectNothingChanged(server, () => client.launch(launchBody({ token })));
  expect([refusalOf(response), response.body.message]).toEqual([INVALID, expect.stringContaining('token: ')]);
});

it('behind a proxy launches name the address of the proxy', async () => {
  const publicUrl = 'https://play.example.com/rgs';
  const node = await server.startNode({ publicUrl });
  try {
    expect(node.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { body } = await operatorClient(node.url, await addHouseOperator(server.db)).launch(launchBody());
    expect(body.url.startsWith(`${publicUrl}/fixture/1.0.0/index.html?`)).toBe(true);
    expect(parseLaunchUrl(body.url)).toMatchObject({ gameHost: publicUrl, rgsUrl: publicUrl });
    // Front ends that put the scheme before it themselves need it bare.
    expect(new URL(body.url).searchParams.get('rgs_url')).toBe('play.example.com/rgs');
  } finally {
    await node.close();
  }
});

describe('with the house wallet', () => {
  it.each([
    [
      { playerID: 'anna', country: 'fi', social: true },
      { player: 'anna', country: 'FI', jurisdiction: { socialCasino: true } },
    ],
    [
      { social: true, jurisdiction: { socialCasino: false, disabledTurbo: true } },
      { player: 'a token', country: null, jurisdiction: { socialCasino: false, disabledTurbo: true } },
    ],
  ])('%j plays at once; the player is the playerID, else the token', async (more, expected) => {
    const { body } = await (await house()).launch(launchBody({ token: 'a token', ...more }));
    const authenticated = (await server.post('/wallet/authenticate', { sessionID: body.sessionID })).body;
    expect(authenticated.balance).toEqual({ amount: 0, currency: 'USD' });
    const { player, country } = await server.db.session.findUniqueOrThrow({
      where: { tokenSha256: sha256Of(body.sessionID) },
      include: { player: true },
    });
    const { jurisdiction } = authenticated.config;
    expect({ player: player.externalId, country, jurisdiction }).toMatchObject(expected);
  });
});

describe('with a seamless wallet', () => {
  it('a session begins with the balance of its wallet and the jurisdiction of its launch', async () => {
    const { launch, wallet } = await seamless();
    const { sessionID } = wallet;
    await launch(launchBody({ sessionID, playerID: 'player-7', jurisdiction: { displayRTP: true } }));
    const { body } = await server.post('/wallet/authenticate', { sessionID });
    expect(body.balance).toEqual({ amount: 1_000 * UNIT, currency: 'USD' });
    expect(body.config.jurisdiction.displayRTP).toBe(true);
  });

  it('the launch stores neither the session nor the token in clear, and ends with the session lifetime', async () => {
    const client = await seamless();
    await server.db.operator.update({ where: { code: client.code }, data: { sessionLifetimeMs: 60_000 } });
    const before = Date.now();
    const { body } = await client.launch(launchBody({ token: 'a-secret-token', country: 'fi' }));
    const where = { tokenSha256: sha256Of(body.sessionID) };
    const launch = await server.db.launch.findUniqueOrThrow({ where });
    expect(launch.country).toBe('FI');
    expect(launch.expiresAt.getTime()).toBeGreaterThanOrEqual(before + 60_000);
    expect(launch.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(Buffer.from(launch.sealedToken).toString('latin1')).not.toContain('a-secret-token');
    await server.db.launch.update({ where, data: { expiresAt: new Date(Date.now() - 1) } });
    expect((await server.post('/wallet/authenticate', { sessionID: body.sessionID })).body.error).toBe('ERR_IS');
  });

  it('a session is refused when its wallet names another player than its launch', async () => {
    const { launch, wallet } = await seamless();
    const { sessionID } = wallet;
    await launch(launchBody({ sessionID, playerID: 'somebody else' }));
    expect((await server.post('/wallet/authenticate', { sessionID })).body.error).toBe('ERR_IS');
  });
});

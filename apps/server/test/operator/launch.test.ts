import { randomUUID } from 'node:crypto';
import { parseLaunchUrl } from '@roundhouse/contract';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { sha256Of } from '../../src/sessions/sessionToken.ts';
import { UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { wholeState } from '../support/snapshot.ts';
import { addHouseOperator, launchBody, operatorClient, useOperators } from './operatorClient.ts';

const server = useCheckedServer();
const { house, seamless } = useOperators(server);

const OPERATORS = [
  ['of the house wallet', house],
  ['with a wallet of its own', seamless],
] as const;

async function everything() {
  return { ...(await wholeState(server)), launches: await server.db.launch.findMany() };
}

describe('the games', () => {
  test('each with its current version, currencies and modes', async () => {
    const { body } = await (await house()).games();
    const game = server.catalogue.current('fixture');
    expect(body.games).toEqual([
      {
        gameID: 'fixture',
        version: '1.0.0',
        title: 'Fixture',
        currencies: game?.currencies,
        modes: ['BASE', 'ANTE', 'BONUS', 'AUTO'],
        hasFrontend: false,
      },
    ]);
  });

  test('in the currencies of the operator, when it has named some', async () => {
    const { body } = await (await house({ currencies: ['EUR', 'USD'] })).games();
    expect(body.games[0].currencies.toSorted()).toEqual(['EUR', 'USD']);
  });
});

test('a session that is asked for a moment before its launch is known at once after it', async () => {
  const client = await house();
  const sessionID = `${client.code}:${randomUUID()}`;
  expect((await server.post('/wallet/balance', { sessionID })).body.error).toBe('ERR_IS');
  expect((await client.launch(launchBody({ sessionID }))).status).toBe(200);
  expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200);
});

describe.each(OPERATORS)('a launch for an operator %s', (_, operator) => {
  test('answers a launch URL that says all that was asked for', async () => {
    const client = await operator();
    const { status, body } = await client.launch(
      launchBody({
        lang: 'BR',
        device: 'MOBILE',
        social: true,
        currency: 'EUR',
        returnURL: 'https://casino.example.com/?a=b',
      }),
    );
    expect(status).toBe(200);
    expect(parseLaunchUrl(body.url)).toEqual({
      kind: 'play',
      sessionID: body.sessionID,
      gameHost: server.url,
      gameID: 'fixture',
      gameVersion: '1.0.0',
      rgsUrl: server.url,
      language: 'pt',
      device: 'mobile',
      currency: 'EUR',
      social: true,
      returnURL: 'https://casino.example.com/?a=b',
    });
    expect(body.sessionID.startsWith(`${client.code}:`)).toBe(true);
  });

  test('falls back to English and desktop, and says nothing that was not asked for', async () => {
    const { body } = await (await operator()).launch(launchBody({ lang: 'xx', device: 'watch' }));
    const launch = parseLaunchUrl(body.url);
    expect(launch).toMatchObject({ language: 'en', device: 'desktop' });
    for (const name of ['social', 'demo', 'returnURL']) expect(launch).not.toHaveProperty(name);
  });

  test('takes the sessionID that the operator brings, once', async () => {
    const client = await operator();
    const other = await house();
    const sessionID = `own/session?${randomUUID()} ä%`;
    expect((await client.launch(launchBody({ sessionID }))).body.sessionID).toBe(sessionID);
    const before = await everything();
    for (const again of [client, other]) {
      const answer = await again.launch(launchBody({ sessionID }));
      expect([answer.status, answer.body.error]).toEqual([400, 'ERR_VAL']);
    }
    expect(await everything()).toEqual(before);
  });

  test('of two launches at once with one sessionID one is made', async () => {
    const client = await operator();
    const sessionID = randomUUID();
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.launch(launchBody({ sessionID }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  test("a sessionID with the prefix of another operator, or of one that may come later, is refused; one's own is not", async () => {
    const [client, other] = [await operator(), await house()];
    const before = await everything();
    for (const prefix of [other.code, 'nobody-yet', client.code.toUpperCase(), ` ${client.code}`]) {
      const answer = await client.launch(launchBody({ sessionID: `${prefix}:${randomUUID()}` }));
      expect([answer.status, answer.body.error], prefix).toEqual([400, 'ERR_VAL']);
    }
    expect(await everything()).toEqual(before);
    const own = `${client.code}:${randomUUID()}:more`;
    expect((await client.launch(launchBody({ sessionID: own }))).body.sessionID).toBe(own);
  });

  test.each<[string, number, object]>([
    ['an unknown game', 404, { gameID: 'unknown' }],
    ['an unknown currency', 400, { currency: 'XXX' }],
    ['no token', 400, { token: undefined }],
    ['an empty token', 400, { token: '' }],
    ['a token that no text column can hold', 400, { token: 'a\u0000b' }],
    ['a sessionID of 257 characters', 400, { sessionID: 'x'.repeat(257) }],
    ['half a surrogate pair in the sessionID', 400, { sessionID: '\ud83d' }],
    ['a page to return to that runs a script', 400, { returnURL: 'javascript:alert(1)' }],
    ['a page to return to that is no address', 400, { returnURL: '/lobby' }],
    ['half a surrogate pair in the page to return to', 400, { returnURL: 'https://a.example.com/\ud83d' }],
    ['a country in words', 400, { country: 'Finland' }],
    ['a jurisdiction of the wrong shape', 400, { jurisdiction: { disabledTurbo: 'yes' } }],
  ])('%s: %d, and nothing is kept', async (__, status, more) => {
    const client = await operator();
    const before = await everything();
    const answer = await client.launch(launchBody(more));
    expect([answer.status, answer.body.error]).toEqual([status, 'ERR_VAL']);
    expect(await everything()).toEqual(before);
  });

  test('a currency that the game has and the operator does not', async () => {
    const client = await operator({ currencies: ['EUR'] });
    expect((await client.launch(launchBody({ currency: 'EUR' }))).status).toBe(200);
    const answer = await client.launch(launchBody({ currency: 'USD' }));
    expect([answer.status, answer.body.error]).toEqual([400, 'ERR_VAL']);
  });
});

test('behind a proxy launches name the address of the proxy', async () => {
  const { db, catalogue } = server;
  const publicUrl = 'https://play.example.com/rgs';
  const log = pino({ level: 'silent' });
  const node = await startServer({ db, catalogue, log, host: '127.0.0.1', port: 0, publicUrl });
  try {
    expect(node.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { body } = await operatorClient(node.url, await addHouseOperator(db)).launch(launchBody());
    expect(body.url.startsWith(`${publicUrl}/fixture/1.0.0/index.html?`)).toBe(true);
    expect(parseLaunchUrl(body.url)).toMatchObject({ gameHost: publicUrl, rgsUrl: publicUrl });
    // Front ends that put the scheme before it themselves need it bare.
    expect(new URL(body.url).searchParams.get('rgs_url')).toBe('play.example.com/rgs');
  } finally {
    await node.close();
  }
});

describe('with the house wallet', () => {
  test('the session plays at once; the player is the playerID, else the token', async () => {
    const client = await house();
    const played = async (more: object) => {
      const { body } = await client.launch(launchBody({ token: 'a token', ...more }));
      const { sessionID } = body;
      const { body: authenticated } = await server.post('/wallet/authenticate', { sessionID });
      expect(authenticated.balance).toEqual({ amount: 0, currency: 'USD' });
      const session = await server.db.session.findUniqueOrThrow({
        where: { tokenSha256: sha256Of(sessionID) },
        include: { player: { select: { externalId: true } } },
      });
      return {
        player: session.player.externalId,
        country: session.country,
        jurisdiction: authenticated.config.jurisdiction,
      };
    };
    expect(await played({ playerID: 'anna', country: 'fi', social: true })).toMatchObject({
      player: 'anna',
      country: 'FI',
      jurisdiction: { socialCasino: true },
    });
    expect(await played({ social: true, jurisdiction: { socialCasino: false, disabledTurbo: true } })).toMatchObject({
      player: 'a token',
      country: null,
      jurisdiction: { socialCasino: false, disabledTurbo: true },
    });
  });
});

describe('with a wallet of its own', () => {
  test('launch, authenticate, play, end, and the wallet has the money', async () => {
    const client = await seamless();
    const { wallet } = client;
    const jurisdiction = { displayRTP: true };
    const { sessionID } = wallet;
    const launch = await client.launch(launchBody({ sessionID, playerID: 'player-7', country: 'FI', jurisdiction }));
    expect(launch.status).toBe(200);
    const authenticated = await server.post('/wallet/authenticate', { sessionID });
    expect(authenticated.body.balance).toEqual({ amount: 1_000 * UNIT, currency: 'USD' });
    expect(authenticated.body.config.jurisdiction.displayRTP).toBe(true);
    const played = await server.playBook(sessionID, 2);
    expect([played.status, played.body.balance.amount, wallet.balance()]).toEqual([200, 999 * UNIT, 999 * UNIT]);
    const ended = await server.post('/wallet/end-round', { sessionID });
    expect([ended.body.balance.amount, wallet.balance()]).toEqual([1_000.5 * UNIT, 1_000.5 * UNIT]);
  });

  test('the launch keeps neither the session nor the token in clear, and ends with the session lifetime', async () => {
    const client = await seamless();
    await server.db.operator.update({ where: { code: client.code }, data: { sessionLifetimeMs: 60_000 } });
    const before = Date.now();
    const { body } = await client.launch(launchBody({ token: 'a-secret-token', country: 'fi' }));
    const launch = await server.db.launch.findUniqueOrThrow({ where: { tokenSha256: sha256Of(body.sessionID) } });
    expect(launch.country).toBe('FI');
    expect(launch.expiresAt.getTime()).toBeGreaterThanOrEqual(before + 60_000);
    expect(launch.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(Buffer.from(launch.sealedToken).toString('latin1')).not.toContain('a-secret-token');
    await server.db.launch.updateMany({
      where: { tokenSha256: launch.tokenSha256 },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect((await server.post('/wallet/authenticate', { sessionID: body.sessionID })).body.error).toBe('ERR_IS');
  });

  test('a wallet that names another player than the launch did does not let them in', async () => {
    const client = await seamless();
    const { sessionID } = client.wallet;
    await client.launch(launchBody({ sessionID, playerID: 'somebody else' }));
    expect((await server.post('/wallet/authenticate', { sessionID })).body.error).toBe('ERR_IS');
  });
});

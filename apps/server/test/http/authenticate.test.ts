import { DEFAULT_JURISDICTION } from '@roundhouse/contract';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { sha256Of } from '../../src/sessions/sessionToken.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { snapshot } from '../support/snapshot.ts';
import { clientOf, OPENING, OPERATOR, serveGames, sessionInRound, UNIT, useTestServer } from '../support/testServer.ts';
import { gameFileOf, writeStudioFolder } from '../support/writeStudioFolder.ts';

const server = useTestServer({ jurisdiction: { displayRTP: true, disabledSpacebar: true } });
afterEach(() => setOperator(server.db, OPERATOR, { jurisdiction: {} }));

const enter = async (sessionID: string) => (await server.post('/wallet/authenticate', { sessionID })).body;

const JURISDICTION = { ...DEFAULT_JURISDICTION, displayRTP: true, disabledSpacebar: true };

describe('authenticate', () => {
  it('responds with {balance, config, round, meta} and each of their fields', async () => {
    expect(await enter(await server.newSession())).toEqual({
      balance: { amount: OPENING, currency: 'USD' },
      config: {
        gameID: 'fixture',
        minBet: 200_000,
        maxBet: 100 * UNIT,
        stepBet: 100_000,
        defaultBetLevel: UNIT,
        betLevels: [200_000, UNIT, 100 * UNIT],
        betModes: {
          BASE: { mode: 'BASE', costMultiplier: 1, feature: false },
          ANTE: { mode: 'ANTE', costMultiplier: 1.25, feature: false },
          BONUS: { mode: 'BONUS', costMultiplier: 100, feature: true },
          AUTO: { mode: 'AUTO', costMultiplier: 1, feature: false },
        },
        jurisdiction: JURISDICTION,
      },
      round: {},
      meta: null,
    });
  });

  it('has the bet limits of the game for the currency', async () => {
    const { config } = await enter(await server.newSession({ currency: 'JPY' }));
    const limits = { minBet: 10 * UNIT, maxBet: 1000 * UNIT, stepBet: 10 * UNIT, defaultBetLevel: 100 * UNIT };
    expect(config).toMatchObject({ ...limits, betLevels: [] });
    const { config: other } = await enter(await server.newSession({ currency: 'KRW' }));
    expect(other).toMatchObject({ minBet: 200_000, maxBet: 100 * UNIT, stepBet: 100_000, defaultBetLevel: UNIT });
  });

  it('has the jurisdiction of the game, with that of the operator when the session is issued', async () => {
    const jurisdiction = { disabledTurbo: true, displayRTP: false, minimumRoundDuration: 2500 };
    const earlier = await server.newSession();
    await setOperator(server.db, OPERATOR, { jurisdiction });
    const { config } = await enter(await server.newSession());
    expect(config.jurisdiction).toEqual({ ...JURISDICTION, ...jurisdiction });
    expect((await enter(earlier)).config.jurisdiction).toEqual(JURISDICTION);
  });

  it('has every field of the jurisdiction, in one order, also for a session that is older than some fields', async () => {
    const sessionID = await server.newSession();
    await server.db.$executeRaw`
      UPDATE sessions SET jurisdiction = jurisdiction - 'realityCheckInterval' - 'requireAutoplayLossLimit'
      WHERE token_sha256 = ${sha256Of(sessionID)}`;
    const { jurisdiction } = (await enter(sessionID)).config;
    expect(JSON.stringify(jurisdiction)).toBe(JSON.stringify(JURISDICTION));
  });

  it.each([true, false])('has jurisdiction.socialCasino as the session says: %s', async (social) => {
    const { config } = await enter(await server.newSession({ social, currency: 'XGC' }));
    expect(config.jurisdiction.socialCasino).toBe(social);
  });

  it('changes nothing but the activity of the session', async () => {
    const sessionID = await sessionInRound(server);
    await server.post('/bet/event', { sessionID, event: 'picked:3' });
    const { session: _before, ...before } = await snapshot(server, sessionID);
    const [first, ...others] = await Promise.all(
      [1, 2, 3].map(() => server.post('/wallet/authenticate', { sessionID })),
    );
    for (const { text } of others) expect(text).toBe(first?.text);
    const { session, ...after } = await snapshot(server, sessionID);
    expect([after, session?.state]).toEqual([before, 'authenticated']);
    expect(first?.body.round).toMatchObject({ active: true, event: 'picked:3' });
  });
});

describe('the client version', () => {
  it('is logged with the number that the rounds of the session have, and without the sessionID', async () => {
    const sessionID = await server.newSession();
    const { status, headers } = await server.post('/wallet/authenticate', {
      sessionID,
      clientVersion: '2.1.0 sdk/0.1.0',
    });
    expect(status).toBe(200);
    const { body } = await server.playBook(sessionID, BOOK.pays0);
    const { sessionId } = await server.db.round.findFirstOrThrow({ where: { id: BigInt(body.round.betID) } });
    const lines = server.logLines.filter((line) => line.includes('2.1.0 sdk/0.1.0'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        msg: 'client',
        requestId: headers.get('X-Request-Id'),
        session: String(sessionId),
        game: 'fixture',
        version: '1.0.0',
        clientVersion: '2.1.0 sdk/0.1.0',
      }),
    ]);
    expect(lines.join()).not.toContain(sessionID);
  });

  it('of a session that does not authenticate is not logged', async () => {
    const before = server.logLines.length;
    const refused = await server.post('/wallet/authenticate', { sessionID: 'unknown', clientVersion: '9.9.9' });
    expect(refused.body.error).toBe('ERR_IS');
    expect(server.logLines.slice(before).join()).not.toContain('9.9.9');
  });

  it.each([7, '', 'x'.repeat(129)])('%j is refused', async (clientVersion) => {
    const sessionID = await server.newSession();
    const refused = await server.post('/wallet/authenticate', { sessionID, clientVersion });
    expect(refused).toMatchObject({ status: 400, body: { error: 'ERR_VAL' } });
  });
});

describe('the round of authenticate', () => {
  it('belongs to the player: it continues after a new launch and on another node', async () => {
    const sessionID = await server.liveSession({ token: 'resumes' });
    const played = await server.playBook(sessionID, BOOK.pays150, { mode: 'ANTE' });
    await server.post('/bet/event', { sessionID, event: 'picked:2' });

    const again = await server.newSession({ token: 'resumes', device: 'mobile' });
    const node = await server.startNode();
    for (const each of [sessionID, again]) {
      const { body } = await clientOf(node.url).post('/wallet/authenticate', { sessionID: each });
      expect(body.round).toEqual({ ...played.body.round, event: 'picked:2' });
    }
    await node.close();
    await server.post('/bet/event', { sessionID: again, event: 'picked:3' });
    expect((await enter(sessionID)).round.event).toBe('picked:3');
    const ended = await server.post('/wallet/end-round', { sessionID: again });
    expect(ended.body.balance.amount).toBe(OPENING - 1_250_000 + 1_500_000);
    expect((await enter(sessionID)).round).toMatchObject({ betID: played.body.round.betID, active: false });
  });

  it('belongs to the game: a round of one game does not block another', async () => {
    const books = [{ id: 9, payoutMultiplier: 300, events: '[{"other":true}]' }];
    const other = await writeStudioFolder({ name: 'other', books, gameFile: gameFileOf({ id: 'other' }) });
    const node = await serveGames(server, [other]);
    onTestFinished(node.close);
    const here = await server.liveSession({ token: 'two-games' });
    const { round } = (await server.playBook(here, BOOK.pays150)).body;

    const there = await node.liveSession({ token: 'two-games' });
    const entered = await node.post('/wallet/authenticate', { sessionID: there });
    expect([entered.body.config.gameID, entered.body.round]).toEqual(['other', {}]);
    const played = await node.post('/wallet/play', { sessionID: there, amount: UNIT, mode: 'BASE' });
    expect([played.body.balance.amount, played.body.round.state]).toEqual([OPENING - 2 * UNIT, [{ other: true }]]);
    expect((await enter(here)).round).toEqual(round);
    expect((await node.post('/wallet/end-round', { sessionID: there })).body.balance.amount).toBe(OPENING + UNIT);
    expect((await enter(here)).round.active).toBe(true);
  });
});

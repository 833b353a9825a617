import { DEFAULT_JURISDICTION } from '@roundhouse/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { BOOK, fixtureCommitment } from '../../support/fixtureGame.ts';
import { snapshot } from '../../support/snapshot.ts';
import { OPENING, OPERATOR, serveGames, sessionInRound, UNIT, useTestServer } from '../../support/testServer.ts';
import { gameFileOf, writeStudioFolder } from '../../support/writeStudioFolder.ts';

const server = useTestServer({ jurisdiction: { displayRTP: true, disabledSpacebar: true } });
afterEach(() => setOperator(server.db, OPERATOR, { jurisdiction: {} }));

const JURISDICTION = { ...DEFAULT_JURISDICTION, displayRTP: true, disabledSpacebar: true };
const LIMITS = { minBet: 200_000, maxBet: 100 * UNIT, stepBet: 100_000, defaultBetLevel: UNIT };

describe('authenticate', () => {
  it('responds with {balance, config, round, meta} and each of their fields', async () => {
    expect((await server.authenticate(await server.newSession())).body).toEqual({
      balance: { amount: OPENING, currency: 'USD' },
      config: {
        ...{ gameID: 'fixture', ...LIMITS, betLevels: [200_000, UNIT, 100 * UNIT] },
        betModes: {
          base: { mode: 'base', costMultiplier: 1, feature: false, table: fixtureCommitment('base') },
          Ante: { mode: 'Ante', costMultiplier: 1.25, feature: false, table: fixtureCommitment('Ante') },
          BONUS: { mode: 'BONUS', costMultiplier: 100, feature: true, table: fixtureCommitment('BONUS') },
          AUTO: { mode: 'AUTO', costMultiplier: 1, feature: false, table: fixtureCommitment('AUTO') },
        },
        jurisdiction: JURISDICTION,
      },
      round: {},
      meta: null,
    });
  });

  it('has the bet limits of the game for the currency', async () => {
    const limits = { minBet: 10 * UNIT, maxBet: 1000 * UNIT, stepBet: 10 * UNIT, defaultBetLevel: 100 * UNIT };
    expect(await server.configOf(await server.newSession({ currency: 'JPY' }))).toMatchObject({
      ...limits,
      betLevels: [],
    });
    expect(await server.configOf(await server.newSession({ currency: 'KRW' }))).toMatchObject(LIMITS);
  });

  it('has the jurisdiction of the game, with that of the operator when the session is issued', async () => {
    const jurisdiction = { disabledTurbo: true, displayRTP: false, minimumRoundDuration: 2500 };
    const earlier = await server.newSession();
    await setOperator(server.db, OPERATOR, { jurisdiction });
    const now = await server.configOf(await server.newSession());
    expect(now.jurisdiction).toEqual({ ...JURISDICTION, ...jurisdiction });
    expect((await server.configOf(earlier)).jurisdiction).toEqual(JURISDICTION);
  });

  it('has every field of the jurisdiction, in one order, also for a session that is older than some fields', async () => {
    const sessionID = await server.newSession();
    await server.db.$executeRaw`
      UPDATE sessions SET jurisdiction = jurisdiction - 'realityCheckInterval' - 'requireAutoplayLossLimit'
      WHERE token_sha256 = ${sha256Of(sessionID)}`;
    expect(JSON.stringify((await server.configOf(sessionID)).jurisdiction)).toBe(JSON.stringify(JURISDICTION));
  });

  it('changes nothing but the activity of the session', async () => {
    const sessionID = await sessionInRound(server);
    await server.record(sessionID, 'picked:3');
    const { session: _before, ...before } = await snapshot(server, sessionID);
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => server.authenticate(sessionID)));
    for (const { text } of others) expect(text).toBe(first?.text);
    const { session, ...after } = await snapshot(server, sessionID);
    expect([after, session?.state]).toEqual([before, 'authenticated']);
    expect(first?.body.round).toMatchObject({ active: true, event: 'picked:3' });
  });
});

describe('the client version', () => {
  it('is logged with the number that the rounds of the session have, and without the sessionID', async () => {
    const sessionID = await server.newSession();
    const client = { clientVersion: '2.1.0 sdk/0.1.0' };
    const { headers } = await server.authenticate(sessionID, client);
    const { body } = await server.playBook(sessionID, BOOK.pays0);
    const { sessionId } = await server.db.round.findFirstOrThrow({ where: { id: BigInt(body.round.betID) } });
    const lines = server.logged().filter((line) => line.clientVersion === client.clientVersion);
    const known = { session: String(sessionId), game: 'fixture', version: '1.0.0', ...client };
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'client', requestId: headers.get('X-Request-Id'), ...known }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(sessionID);
    await server.authenticate('unknown', { clientVersion: '9.9.9' });
    expect(server.logLines.join()).not.toContain('9.9.9');
  });
});

describe('the round of authenticate', () => {
  it('belongs to the player: it continues after a new launch and on another node', async () => {
    const sessionID = await server.liveSession({ token: 'resumes' });
    const { round } = (await server.playBook(sessionID, BOOK.pays150, { mode: 'ANTE' })).body;
    await server.record(sessionID, 'picked:2');

    const again = await server.newSession({ token: 'resumes', device: 'mobile' });
    const node = await server.startNode();
    for (const each of [sessionID, again]) expect(await node.roundOf(each)).toEqual({ ...round, event: 'picked:2' });
    await server.record(again, 'picked:3');
    expect((await server.roundOf(sessionID)).event).toBe('picked:3');
    expect((await server.endRound(again)).body.balance.amount).toBe(OPENING - 1_250_000 + 1_500_000);
    expect(await server.roundOf(sessionID)).toMatchObject({ betID: round.betID, active: false });
  });

  it('belongs to the game: a round of one game does not block another', async () => {
    const books = [{ id: 9, payoutMultiplier: 300, events: '[{"other":true}]' }];
    const other = await writeStudioFolder({ name: 'other', books, gameFile: gameFileOf({ id: 'other' }) });
    const node = await serveGames(server, [other]);
    const here = await server.liveSession({ token: 'two-games' });
    const { round } = (await server.playBook(here, BOOK.pays150)).body;

    const there = await node.liveSession({ token: 'two-games' });
    const { config, round: ofOther } = (await node.authenticate(there)).body;
    expect([config.gameID, ofOther]).toEqual(['other', {}]);
    const played = await node.play(there);
    expect([played.body.balance.amount, played.body.round.state]).toEqual([OPENING - 2 * UNIT, [{ other: true }]]);
    expect(await server.roundOf(here)).toEqual(round);
    expect((await node.endRound(there)).body.balance.amount).toBe(OPENING + UNIT);
    expect((await server.roundOf(here)).active).toBe(true);
  });
});

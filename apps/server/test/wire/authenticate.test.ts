import { afterEach, describe, expect, test } from 'vitest';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { createStoreFolder, startServing } from '../support/servingNode.ts';
import { snapshot } from '../support/snapshot.ts';
import { OPERATOR } from '../support/testServer.ts';
import { gameFileOf, writeStudioFolder } from '../support/writeStudioFolder.ts';

const server = useCheckedServer({ jurisdiction: { displayRTP: true, disabledSpacebar: true } });
afterEach(() => setOperator(server.db, OPERATOR, { jurisdiction: {} }));

const enter = async (sessionID: string) => (await server.post('/wallet/authenticate', { sessionID })).body;

/** What the fixture asks for here, with all twelve fields. */
const JURISDICTION = {
  socialCasino: false,
  disabledFullscreen: false,
  disabledTurbo: false,
  disabledSuperTurbo: false,
  disabledAutoplay: false,
  disabledSlamstop: false,
  disabledSpacebar: true,
  disabledBuyFeature: false,
  displayNetPosition: false,
  displayRTP: true,
  displaySessionTimer: false,
  minimumRoundDuration: 0,
};

describe('authenticate', () => {
  test('answers {balance, config, round, meta}, every field of it', async () => {
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

  test('config: bet limits are set per game and per currency', async () => {
    const { config } = await enter(await server.newSession({ currency: 'JPY' }));
    expect(config).toMatchObject({ minBet: 10 * UNIT, maxBet: 1000 * UNIT, stepBet: 10 * UNIT, betLevels: [] });
    const { config: other } = await enter(await server.newSession({ currency: 'KRW' }));
    expect(other).toMatchObject({ minBet: 200_000, maxBet: 100 * UNIT, stepBet: 100_000 });
  });

  test.each(Object.keys(JURISDICTION))(
    'jurisdiction always carries %s, as game and then operator say',
    async (field) => {
      const value = field === 'minimumRoundDuration' ? 2500 : !JURISDICTION[field as keyof typeof JURISDICTION];
      await setOperator(server.db, OPERATOR, { jurisdiction: { [field]: value } });
      const { config } = await enter(await server.newSession());
      expect(config.jurisdiction).toEqual({ ...JURISDICTION, [field]: value });
    },
  );

  test('of two at once both answer, and there is one session', async () => {
    const sessionID = await server.newSession();
    const before = await snapshot(server, sessionID);
    const answers = await Promise.all([1, 2].map(() => server.post('/wallet/authenticate', { sessionID })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect((await snapshot(server, sessionID)).counts).toEqual(before.counts);
  });
});

describe('authenticate: round', () => {
  test('is the active round, else the last completed one, else {}', async () => {
    const sessionID = await server.newSession();
    expect((await enter(sessionID)).round).toEqual({});
    const first = (await server.playBook(sessionID, BOOK.pays150)).body.round;
    expect((await enter(sessionID)).round).toEqual(first);
    await server.post('/wallet/end-round', { sessionID });
    expect((await enter(sessionID)).round).toEqual({ ...first, active: false });
    const second = (await server.playBook(sessionID, BOOK.pays20)).body.round;
    expect((await enter(sessionID)).round).toEqual(second);
  });

  test('belongs to the player, not to the session: a new session resumes the same round and book', async () => {
    const sessionID = await server.liveSession({ token: 'resumes' });
    const played = await server.playBook(sessionID, BOOK.pays150, { mode: 'ANTE' });
    await server.post('/bet/event', { sessionID, event: 'picked:2' });

    const again = await server.newSession({ token: 'resumes', device: 'mobile' });
    expect((await enter(again)).round).toEqual({ ...played.body.round, event: 'picked:2' });
    await server.post('/bet/event', { sessionID: again, event: 'picked:3' });
    expect((await enter(sessionID)).round.event).toBe('picked:3');
    const ended = await server.post('/wallet/end-round', { sessionID: again });
    expect(ended.body.balance.amount).toBe(OPENING - 1_250_000 + 1_500_000);
    expect((await enter(sessionID)).round).toMatchObject({ betID: played.body.round.betID, active: false });
  });

  test('of another player is never shown', async () => {
    await server.playBook(await server.liveSession({ token: 'somebody' }), BOOK.pays150);
    expect((await enter(await server.newSession({ token: 'somebody else' }))).round).toEqual({});
  });

  test.each(['EUR', 'XSC'])(
    'is neither shown nor touched by a session of the same player in %s, which has a round of its own',
    async (currency) => {
      const token = `traveller-${currency}`;
      const usd = await server.liveSession({ token });
      const { round } = (await server.playBook(usd, BOOK.pays150)).body;
      const other = await server.newSession({ token, currency });
      expect((await enter(other)).round).toEqual({});
      expect((await server.post('/bet/event', { sessionID: other, event: 'picked:1' })).body.error).toBe('ERR_VAL');
      expect((await server.post('/wallet/end-round', { sessionID: other })).body.error).toBe('ERR_VAL');

      const own = (await server.playBook(other, BOOK.pays20)).body.round;
      expect((await enter(other)).round).toEqual(own);
      expect((await enter(usd)).round).toEqual(round);
      const ended = await server.post('/wallet/end-round', { sessionID: other });
      expect(ended.body.balance).toEqual({ amount: OPENING - 800_000, currency });
      expect((await enter(usd)).round).toEqual(round);
      const usdEnded = await server.post('/wallet/end-round', { sessionID: usd });
      expect(usdEnded.body.balance).toEqual({ amount: OPENING + 500_000, currency: 'USD' });
    },
  );

  test('belongs to the game: a round of one game is not in the way of another', async () => {
    const store = await createStoreFolder();
    const other = await writeStudioFolder({
      name: 'other',
      books: [{ id: 9, payoutMultiplier: 300, events: '[{"other":true}]' }],
      gameFile: gameFileOf({ id: 'other' }),
    });
    const node = await startServing(server, { folders: [other.folder], storeFolder: store.folder });
    const here = await server.liveSession({ token: 'two-games' });
    const { round } = (await server.playBook(here, BOOK.pays150)).body;

    const there = await node.liveSession({ token: 'two-games' });
    const entered = await node.post('/wallet/authenticate', { sessionID: there });
    expect([entered.body.config.gameID, entered.body.round]).toEqual(['other', {}]);
    const played = await node.post('/wallet/play', { sessionID: there, amount: UNIT, mode: 'BASE' });
    expect(played.body.balance.amount).toBe(OPENING - 2 * UNIT);
    expect(played.body.round.state).toEqual([{ other: true }]);
    expect((await enter(here)).round).toEqual(round);
    expect((await node.post('/wallet/end-round', { sessionID: there })).body.balance.amount).toBe(OPENING + UNIT);
    expect((await enter(here)).round.active).toBe(true);
    await node.close();
    await other.remove();
    await store.remove();
  });
});

import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { completeRounds, voidRound } from '../../../src/ledger/voidAndComplete.ts';
import { startCompletion } from '../../../src/rounds/play/completion.ts';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { listInterruptedRounds } from '../../../src/store/rounds/interruptedRounds.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { leaveFor } from '../../support/moveTime.ts';
import { useSeamlessServer } from '../../support/seamlessServer.ts';
import { OPENING, OPERATOR, UNIT } from '../../support/testServer.ts';

const MOST = 100;
const TURNS = 8;
const server = useSeamlessServer();

const everywhere = async (completeRoundsAfterHours: number | null) => {
  for (const code of ['acme', OPERATOR])
    await setOperator(server.db, code, { completeRoundsAfterHours, jurisdiction: {} });
};
beforeEach(() => everywhere(24));
afterEach(async () => {
  await everywhere(null);
  await server.settled();
});

const complete = async () => (await completeRounds(server.db, MOST)).map(Number);
const rowOf = (betID: number) => server.db.round.findUniqueOrThrow({ where: { id: betID } });
const balanceOf = async (sessionID: string) => (await server.balance(sessionID)).body.balance.amount;
const creditsOf = (betID: number) =>
  server.db.walletTransaction.findMany({ where: { roundId: betID, kind: 'credit' } });

/** Makes a round that its player left this number of days ago. */
async function leftRound(sessionID: string, days = 1, bookID: number = BOOK.pays150) {
  const { betID } = (await server.playBook(sessionID, bookID)).body.round;
  await leaveFor(server, sessionID, days);
  return betID as number;
}

describe('a round of the house wallet that its player has left', () => {
  it('is completed and credited once, is marked, and is the last completed round of the player', async () => {
    const sessionID = await server.liveSession({ token: 'left' });
    const betID = await leftRound(sessionID);
    expect(await complete()).toEqual([betID]);
    expect(await complete()).toEqual([]);
    expect(await balanceOf(sessionID)).toBe(OPENING + 0.5 * UNIT);
    const row = await rowOf(betID);
    expect(row.autoCompletedAt).toEqual(row.endedAt);
    expect(row.endedAt).not.toBeNull();
    expect(await server.roundOf(sessionID)).toMatchObject({ betID, active: false, payout: 1.5 * UNIT });
    // The player who comes back gets no second payout.
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + 0.5 * UNIT);
    expect((await server.playBook(sessionID, BOOK.pays0)).status).toBe(200);
    await server.endRound(sessionID);
  });

  it('and the rounds of its other games are completed one after the other', async () => {
    const betIDs: number[] = [];
    for (const currency of ['USD', 'EUR'])
      betIDs.push(await leftRound(await server.liveSession({ token: 'two', currency }), 2));
    expect((await complete()).sort()).toEqual(betIDs);
  });

  it('waits when nobody says otherwise, while its player does something, and while the time is not over', async () => {
    const sessionID = await server.liveSession({ token: 'waits' });
    const betID = await leftRound(sessionID, 3);
    await everywhere(null);
    expect(await complete()).toEqual([]);
    await everywhere(73);
    expect(await complete()).toEqual([]);
    await everywhere(72);
    await server.record(sessionID, 'picked:1');
    expect(await complete()).toEqual([]);
    expect(await listInterruptedRounds(server.db, { days: 7, limit: MOST })).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ roundID: BigInt(betID), completedAt: null })]),
    );
    await leaveFor(server, sessionID, 3);
    expect(await complete()).toEqual([betID]);
  });

  it.each([
    ['the session', { jurisdiction: { completeRoundsAfterHours: 2 } }, {}],
    ['the operator when the session starts', {}, { completeRoundsAfterHours: 2 }],
  ])('is due after the time of %s when that is shorter', async (_, options, jurisdiction) => {
    await everywhere(100);
    await setOperator(server.db, OPERATOR, { jurisdiction });
    const sessionID = await server.liveSession({ token: `shorter-${_}`, ...options });
    const betID = await leftRound(sessionID);
    expect(await complete()).toEqual([betID]);
  });

  it('of a session that was deleted is due by the jurisdiction of its operator', async () => {
    await everywhere(null);
    const sessionID = await server.liveSession({ token: 'deleted' });
    const betID = await leftRound(sessionID, 2);
    await server.db.session.delete({ where: { tokenSha256: sha256Of(sessionID) } });
    expect(await complete()).toEqual([]);
    await setOperator(server.db, OPERATOR, { jurisdiction: { completeRoundsAfterHours: 48 } });
    expect(await complete()).toEqual([betID]);
  });

  it('is completed by the sweep of a node', async () => {
    const sessionID = await server.liveSession({ token: 'swept' });
    const betID = await leftRound(sessionID, 1, BOOK.pays0);
    const sweep = startCompletion({ db: server.db, log: pino({ level: 'silent' }), pauseMs: 20 });
    onTestFinished(sweep.stop);
    await expect.poll(async () => (await rowOf(betID)).autoCompletedAt).not.toBeNull();
    expect(await balanceOf(sessionID)).toBe(OPENING - UNIT);
  });
});

describe('a round with a seamless wallet that its player has left', () => {
  it('is credited at the operator, in the usual way', async () => {
    const sessionID = await server.seamlessSession();
    const betID = await leftRound(sessionID);
    // While the wallet is down the round stays owed.
    server.wallet.next('/credit', { kind: 'refuse', code: 'ERR_UE' });
    const meanwhile: unknown[] = [];
    const look = async () => void meanwhile.push(await server.roundOf(sessionID), await complete());
    server.wallet.next('/credit', { kind: 'before', run: look });
    expect(await complete()).toEqual([betID]);
    await expect.poll(async () => (await creditsOf(betID))[0]?.attempts).toBeGreaterThan(0);
    await server.hurry();
    await server.settled();
    expect(meanwhile).toMatchObject([{ betID, active: true }, []]);
    const credit = { amount: 1.5 * UNIT, roundClosed: true, roundID: String(betID) };
    expect(server.wallet.callsTo('/credit')).toMatchObject([credit, credit]);
    expect(await creditsOf(betID)).toMatchObject([{ state: 'accepted', attempts: 2 }]);
    const at = expect.any(Date);
    expect(await rowOf(betID)).toMatchObject({ walletState: 'credited', autoCompletedAt: at, endedAt: at });
    expect(await server.roundOf(sessionID)).toMatchObject({ betID, active: false });
    expect(await complete()).toEqual([]);
  });

  it('whose debit has no result yet is left to recovery', async () => {
    const sessionID = await server.seamlessSession();
    const betID = await leftRound(sessionID);
    await server.db.round.update({ where: { id: betID }, data: { walletState: 'debit_pending' } });
    expect(await complete()).toEqual([]);
    await server.db.round.update({ where: { id: betID }, data: { walletState: 'debited' } });
    expect(await complete()).toEqual([betID]);
  });
});

describe.each([
  ['of the house wallet', OPERATOR, (name: string) => server.liveSession({ token: name })],
  ['with a seamless wallet', 'acme', (name: string) => server.seamlessSession(name)],
])('a round %s that is due', (_, code, newSession) => {
  const bothNodes = () => Promise.all([complete(), complete()]);
  /** Runs the check eight times, each with a round that has become due. */
  async function eachDueRound(what: string, check: (betID: number, sessionID: string) => Promise<void>) {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const sessionID = await newSession(`${what}-${code}-${turn}`);
      await check(await leftRound(sessionID, 3), sessionID);
    }
  }
  const timesOf = (betID: number, completed: number[][]) => completed.flat().filter((each) => each === betID).length;

  it('is paid once when two nodes complete it and its player ends it at that moment', async () => {
    await eachDueRound('end', async (betID, sessionID) => {
      const [ended, completed] = await Promise.all([server.endRound(sessionID), bothNodes()]);
      expect(ended.status).toBe(200);
      const { autoCompletedAt } = await rowOf(betID);
      expect(timesOf(betID, completed)).toBe(autoCompletedAt === null ? 0 : 1);
      await server.settled();
      expect(await server.roundOf(sessionID)).toMatchObject({ betID, active: false });
      expect(await balanceOf(sessionID)).toBe(OPENING + 0.5 * UNIT);
    });
  });

  it('is void or completed, and not both, when its operator voids it at that moment', async () => {
    const { id: operatorID } = await server.db.operator.findUniqueOrThrow({ where: { code } });
    await eachDueRound('void', async (betID) => {
      const voiding = voidRound(server.db, { operatorID, roundID: BigInt(betID), reason: 'a test' });
      const [outcome, completed] = await Promise.all([voiding, bothNodes()]);
      expect([outcome, timesOf(betID, completed)]).toEqual(outcome === 'void' ? ['void', 0] : ['was_completed', 1]);
      const { autoCompletedAt, walletState } = await rowOf(betID);
      expect([autoCompletedAt === null, walletState === 'void']).toEqual(
        outcome === 'void' ? [true, true] : [false, false],
      );
    });
  });
});

import type { ErrorCode, FaultPlan } from '@roundhouse/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DialectServer } from './dialectServer.ts';
import { BOOK } from './fixtureGame.ts';
import { expectRefusal, wholeState } from './snapshot.ts';
import { OPENING, UNIT } from './testServer.ts';

type Fault = FaultPlan['faults'][number];

type WalletLaws = {
  /** Paths at which the wallet takes a bet, and pays a win. */
  bet: string;
  win: string;
  /** Returns what each attempt of the player's win must repeat, the oldest first. */
  winsOf: (player: string) => unknown[];
  /** Returns the token that the wallet asks for with a bet. */
  tokenOf: (player: string) => string;
  /** The code of a bet, and of authenticate, when this token has expired. */
  withoutToken?: { bet?: ErrorCode; authenticate?: ErrorCode };
  /** Lets the time pass before which no rollback is sent, or "no such bet" believed. */
  ripen?: () => Promise<unknown>;
};

/** Each request moves money once, whatever becomes of it, and a win needs no live token. */
export function itMovesMoneyOnce(server: DialectServer, { bet, win, winsOf, tokenOf, ...laws }: WalletLaws): void {
  const balanceOf = (player: string) => server.simulator.balance(player, 'EUR');
  const inject = (...faults: Fault[]) => expect(server.simulator.faults.setPlan({ faults }).ok).toBe(true);

  it.each<[string, Fault]>([
    ['request is lost', { kind: 'lost_request' }],
    ['response is lost', { kind: 'lost_response' }],
    ['response is not JSON', { kind: 'malformed_response' }],
    ['response is an unknown error after the work', { kind: 'error', afterWork: true }],
  ])('a bet whose %s is rolled back, and the next one is taken', async (_what, fault) => {
    const { sessionID, player } = await server.enter();
    inject({ ...fault, path: bet, next: 1 });
    expectRefusal(await server.playBook(sessionID, BOOK.pays150), 'ERR_GEN');
    await laws.ripen?.();
    await server.settled();
    expect(balanceOf(player)).toBe(OPENING);
    const last = await server.db.walletTransaction.findMany({ orderBy: { createdAt: 'desc' }, take: 2 });
    expect(last.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['rollback accepted', 'debit abandoned']);
    expect((await server.playBook(sessionID, BOOK.pays150)).status).toBe(200);
    await server.endRound(sessionID);
    expect(balanceOf(player)).toBe(OPENING + UNIT / 2);
  });

  it.each(['lost_request', 'lost_response', 'error'] as const)('a win is paid once after a fault: %s', async (kind) => {
    const { sessionID, player } = await server.enter();
    await server.playBook(sessionID, BOOK.pays150);
    inject({ kind, path: win, next: 1 });
    expectRefusal(await server.endRound(sessionID), 'ERR_GEN');
    await server.settled();
    expect(balanceOf(player)).toBe(OPENING + UNIT / 2);
    const attempts = winsOf(player);
    expect(attempts.length).toBeGreaterThan(kind === 'lost_response' ? 1 : 0);
    for (const attempt of attempts) expect(attempt).toEqual(attempts[0]);
    expect(await server.roundOf(sessionID)).toMatchObject({ active: false });
  });

  it('a bet and a win that arrive twice move once', async () => {
    const { sessionID, player } = await server.enter();
    const paths = [...new Set([bet, win])];
    inject(...paths.map((path): Fault => ({ kind: 'duplicate', path, next: 2 / paths.length })));
    expect((await server.playBook(sessionID, BOOK.pays150)).status).toBe(200);
    expect((await server.endRound(sessionID)).status).toBe(200);
    expect(balanceOf(player)).toBe(OPENING + UNIT / 2);
  });

  it('a win is paid when the token has expired', async () => {
    const { sessionID, player } = await server.enter();
    await server.playBook(sessionID, BOOK.pays150);
    expect(server.simulator.world.tokens.expire(tokenOf(player))).toBe(true);
    expect((await server.endRound(sessionID)).status).toBe(200);
    expect(balanceOf(player)).toBe(OPENING + UNIT / 2);
    const { bet: refusedBet, authenticate } = laws.withoutToken ?? {};
    if (refusedBet) expectRefusal(await server.playBook(sessionID, BOOK.pays150), refusedBet);
    await server.settled();
    expect(balanceOf(player)).toBe(OPENING + UNIT / 2);
    if (authenticate) expectRefusal(await server.authenticate(sessionID), authenticate);
  });
}

type Survival<Sent> = {
  sent: fc.Arbitrary<Sent>;
  send: (sent: Sent) => Promise<{ status: number }>;
  /** Not even a success changes anything: one look at the end is enough. */
  changesNothing?: boolean;
  runs?: number;
};

/** Whatever the owner of the wallet sends. */
export function itSurvives<Sent>(server: DialectServer, what: string, { sent, send, ...rest }: Survival<Sent>): void {
  it(`${what}: never an error of the server; it moves nothing, and a refusal changes nothing`, async () => {
    const moved = server.simulator.transactions().length;
    let before = await wholeState(server);
    await fc.assert(
      fc.asyncProperty(sent, async (each) => {
        const { status } = await send(each);
        expect(status).toBeLessThan(500);
        if (rest.changesNothing) return;
        const after = await wholeState(server);
        if (status !== 200) expect(after).toEqual(before);
        before = after;
      }),
      { numRuns: rest.runs ?? 60 },
    );
    if (rest.changesNothing) expect(await wholeState(server)).toEqual(before);
    expect(server.simulator.transactions()).toHaveLength(moved);
  });
}

/** The request is refused so, changes nothing, and becomes a significant event. */
export async function expectSignatureRefused(
  server: DialectServer,
  request: () => Promise<{ status: number }>,
  refusal: object,
): Promise<void> {
  const before = await wholeState(server);
  const known = (await server.refusedSignatures()).length;
  expect(await request()).toMatchObject(refusal);
  expect(await wholeState(server)).toEqual(before);
  // The event of an earlier test may come late as well.
  await expect.poll(async () => (await server.refusedSignatures()).slice(known)).toContain('operator acme');
}

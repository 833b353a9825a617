import fc from 'fast-check';
import { expect } from 'vitest';
import { expectRefusal } from '../support/snapshot.ts';
import type { GameClient, TestResponse } from '../support/testServer.ts';
import * as model from './roundModel.ts';

/** The servers under test, and their names for the model's sessions. */
export type Real = {
  nodes: readonly [GameClient, GameClient];
  sessionIDs: readonly string[];
  /** As if the session had been idle for longer than it may be. */
  letExpire(sessionID: string): Promise<void>;
};

export type RoundCommand = fc.AsyncCommand<model.Model, Real>;

/** Where a command goes: any session at any node. */
type Target = { node: number; session: number };

type Aim = { at: model.ModelSession; sessionID: string; node: GameClient };

/** A command is a name, the model's word on what happens, and the call that must answer so. */
function command(name: string, { node, session }: Target, run: (aim: Aim, real: Real) => Promise<void>): RoundCommand {
  return {
    check: () => true,
    run: ({ sessions }, real) =>
      run(
        {
          at: sessions[session] as model.ModelSession,
          sessionID: real.sessionIDs[session] as string,
          node: real.nodes[node] as GameClient,
        },
        real,
      ),
    toString: () => `${name} [session ${session}, node ${node}]`,
  };
}

function expectAs(response: TestResponse, expected: model.Expected<object>, body: () => object): void {
  if (expected.ok) expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: body() });
  else expectRefusal(response, ...expected.refusal);
}

const wireBalance = ({ account }: model.ModelSession) => ({ amount: account.balance, currency: account.currency });

const authenticate = (target: Target) =>
  command('authenticate', target, async ({ at, sessionID, node }) => {
    at.isAlive = true;
    const response = await node.post('/wallet/authenticate', { sessionID });
    const { latest } = at.account;
    const round = latest === undefined ? {} : model.wireRound(latest);
    expect([response.status, response.body.balance, response.body.round]).toEqual([200, wireBalance(at), round]);
  });

const balance = (target: Target) =>
  command('balance', target, async ({ at, sessionID, node }) => {
    const response = await node.post('/wallet/balance', { sessionID });
    expectAs(response, model.balance(at), () => ({ balance: wireBalance(at) }));
  });

const play = (target: Target, bet: model.Bet) =>
  command(`play ${JSON.stringify(bet)}`, target, async ({ at, sessionID, node }) => {
    const { amount, mode, key, bookID } = bet;
    const forced = await node.post('/game/force', { sessionID, mode, bookID });
    expect(forced.status).toBe(mode === 'NONE' ? 404 : 200);
    const previousID = at.account.latest?.betID ?? 0;
    const expected = model.play(at, bet);
    const response = await node.post(
      '/wallet/play',
      { sessionID, amount, mode },
      key === undefined ? {} : { 'Idempotency-Key': key },
    );
    if (expected.ok && expected.isNew) {
      expect(response.body.round?.betID, response.text).toBeGreaterThan(previousID);
      expected.round.betID = response.body.round.betID;
    }
    expectAs(response, expected, () => ({
      balance: wireBalance(at),
      round: expected.ok && model.wireRound(expected.round),
    }));
  });

const endRound = (target: Target) =>
  command('end-round', target, async ({ at, sessionID, node }) => {
    const expected = model.endRound(at);
    const response = await node.post('/wallet/end-round', { sessionID });
    expectAs(response, expected, () => ({ balance: wireBalance(at) }));
  });

const event = (target: Target, text: string) =>
  command(`event ${JSON.stringify(text)}`, target, async ({ at, sessionID, node }) => {
    const expected = model.recordEvent(at, text);
    expectAs(await node.post('/bet/event', { sessionID, event: text }), expected, () => ({ event: text }));
  });

const expire = (target: Target) =>
  command('expire', target, async ({ at, sessionID }, real) => {
    at.isAlive = false;
    await real.letExpire(sessionID);
  });

const NODES = 2;

const target: fc.Arbitrary<Target> = fc.record({
  node: fc.nat(NODES - 1),
  session: fc.nat(model.PLAYERS * model.CURRENCIES.length - 1),
});

const bet: fc.Arbitrary<model.Bet> = fc.record({
  amount: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(200_000, 300_000, 1_000_000) },
    { weight: 1, arbitrary: fc.constantFrom(1, 199_999, 250_000, 5_000_000, 100_000_000, 100_100_000) },
  ),
  mode: fc.constantFrom('BASE', 'base', 'Ante', 'BONUS', 'AUTO', 'auto', 'NONE'),
  key: fc.constantFrom(undefined, undefined, 'first', 'second'),
  bookID: fc.constantFrom(1, 2, 3, 4),
});

const eventText = fc.oneof(fc.constantFrom('picked:1', '漢字 🎰', "');--"), fc.string({ minLength: 1, maxLength: 20 }));

/** Each kind of command, plays the most and expiry the least. */
export const roundCommands: fc.Arbitrary<RoundCommand>[] = [
  target.map(authenticate),
  target.map(authenticate),
  target.map(balance),
  fc.tuple(target, bet).map(([at, placed]) => play(at, placed)),
  fc.tuple(target, bet).map(([at, placed]) => play(at, placed)),
  fc.tuple(target, bet).map(([at, placed]) => play(at, placed)),
  target.map(endRound),
  target.map(endRound),
  fc.tuple(target, eventText).map(([at, text]) => event(at, text)),
  target.map(expire),
];

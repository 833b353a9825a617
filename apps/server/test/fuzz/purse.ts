import {
  authenticateRequestSchema,
  type ErrorCode,
  endRoundRequestSchema,
  eventRequestSchema,
  GAME_ROUTES,
  playRequestSchema,
} from '@roundhouse/contract';
import { PAYOUTS } from '../support/fixtureGame.ts';

/** What a bet costs, in quarters of it. */
const COST_QUARTERS: Readonly<Record<string, number>> = { BASE: 4, ANTE: 5, BONUS: 400, AUTO: 4 };
const MIN_BET = 200_000;
const MAX_BET = 100_000_000;
const STEP_BET = 100_000;

const SCHEMAS = {
  [GAME_ROUTES.authenticate.path]: authenticateRequestSchema,
  [GAME_ROUTES.balance.path]: authenticateRequestSchema,
  [GAME_ROUTES.play.path]: playRequestSchema,
  [GAME_ROUTES.endRound.path]: endRoundRequestSchema,
  [GAME_ROUTES.event.path]: eventRequestSchema,
};
type GamePath = keyof typeof SCHEMAS;

export const isGamePath = (path: string): path is GamePath => path in SCHEMAS;

type OpenRound = { betID: number; debit: number; payout: number };

/** A call with the money session, as it was sent. */
export type MoneyCall = { path: GamePath; body: unknown; hasKey: boolean };

export type Purse = ReturnType<typeof createPurse>;

/**
 * The exact model of one session's money, by what was asked for and answered: micros, all below
 * 2^53.
 */
export function createPurse({ sessionID, balance }: { sessionID: string; balance: number }) {
  let open: OpenRound | undefined;
  let latestBetID = 0;
  const betIDs = new Set<number>();
  const givenBack = new Set<number>();

  /** The refusal that a call must get, or undefined: it must succeed. */
  function refusalOf({ path, body }: MoneyCall): ErrorCode | undefined {
    const parsed = SCHEMAS[path].safeParse(body);
    if (!parsed.success) return 'ERR_VAL';
    if (parsed.data.sessionID !== sessionID) return 'ERR_IS';
    if (path === GAME_ROUTES.event.path) return open === undefined ? 'ERR_VAL' : undefined;
    if (path === GAME_ROUTES.endRound.path) return betIDs.size === givenBack.size ? 'ERR_VAL' : undefined;
    if (path !== GAME_ROUTES.play.path) return undefined;
    const { amount, mode } = parsed.data as unknown as { amount: number; mode: string };
    const cost = COST_QUARTERS[mode.toUpperCase()];
    const isAllowed = amount >= MIN_BET && amount <= MAX_BET && amount % STEP_BET === 0;
    if (cost === undefined || !isAllowed || open !== undefined) return 'ERR_VAL';
    return (amount / 4) * cost > balance ? 'ERR_IPB' : undefined;
  }

  function take({ path, body }: MoneyCall, answer: any): string | undefined {
    if (path === GAME_ROUTES.event.path) return undefined;
    if (path === GAME_ROUTES.play.path) return takePlay(body as { amount: number; mode: string }, answer);
    if (path === GAME_ROUTES.endRound.path) close();
    if (path === GAME_ROUTES.authenticate.path) {
      const shown = answer.round.active === true ? answer.round.betID : undefined;
      if (shown !== open?.betID) return `the open round is ${open?.betID}, and ${shown} was shown`;
    }
    return checkBalance(answer.balance);
  }

  function takePlay({ amount, mode }: { amount: number; mode: string }, { round, balance: shown }: any) {
    const key = mode.toUpperCase();
    const debit = (amount / 4) * (COST_QUARTERS[key] ?? 0);
    const { betID, payout } = round;
    const possible = Object.values(PAYOUTS).map((hundredths) => (amount / 100) * hundredths);
    if (round.amount !== amount || round.mode !== key) return 'the round is of another bet';
    if (!possible.includes(payout)) return `a payout of ${payout} is in no book`;
    if (round.active !== (key !== 'AUTO' || payout > 0)) return 'the round is open, or closed, and should not be';
    betIDs.add(betID);
    latestBetID = betID;
    balance -= debit;
    if (round.active) open = { betID, debit, payout };
    return checkBalance(shown);
  }

  function close(): void {
    balance += open?.payout ?? 0;
    open = undefined;
  }

  function checkBalance(shown: { amount: number }): string | undefined {
    return shown.amount === balance ? undefined : `the balance is ${balance}, and ${shown.amount} was shown`;
  }

  return {
    sessionID,
    balance: () => balance,
    rounds: () => betIDs.size,
    /** The round that its operator asks for: the last one, 0 when there is none. */
    latestBetID: () => latestBetID,
    refusalOf,

    /** Takes a success; answers what is wrong with it. */
    success(call: MoneyCall, answer: any): string | undefined {
      // An old round comes back under its Idempotency-Key, and moves nothing.
      const isRepeated = call.path === GAME_ROUTES.play.path && betIDs.has(answer.round.betID);
      if (isRepeated && call.hasKey) return checkBalance(answer.balance);
      const refusal = refusalOf(call);
      return refusal === undefined ? take(call, answer) : `a success in place of ${refusal}`;
    },

    /** The operator has given the bet of this round back, perhaps not for the first time. */
    givenBack(betID: number): string | undefined {
      if (givenBack.has(betID)) return undefined;
      if (open?.betID !== betID) return `round ${betID} was given back, and was not open`;
      givenBack.add(betID);
      balance += open.debit;
      open = undefined;
      return undefined;
    },
  };
}

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
const [MIN_BET, MAX_BET, STEP_BET] = [200_000, 100_000_000, 100_000];

const SCHEMAS = {
  [GAME_ROUTES.authenticate.path]: authenticateRequestSchema,
  [GAME_ROUTES.balance.path]: authenticateRequestSchema,
  [GAME_ROUTES.play.path]: playRequestSchema,
  [GAME_ROUTES.endRound.path]: endRoundRequestSchema,
  [GAME_ROUTES.event.path]: eventRequestSchema,
};
type GamePath = keyof typeof SCHEMAS;
export const GAME_PATHS = Object.keys(SCHEMAS) as GamePath[];
export const isGamePath = (path: string): path is GamePath => path in SCHEMAS;

/** A request as it was sent, with its body parsed. */
export type GameRequest = { path: GamePath; body: unknown; hasKey: boolean };
type Bet = { amount: number; mode: string };
export type AccountModel = ReturnType<typeof createAccountModel>;

const costOf = ({ amount, mode }: Bet) => (amount / 4) * (COST_QUARTERS[mode.toUpperCase()] ?? Number.NaN);

/** The exact account of one session, by its requests and responses: micros, all below 2^53. */
export function createAccountModel({ sessionID, balance }: { sessionID: string; balance: number }) {
  let open: { betID: number; debit: number; payout: number } | undefined;
  let latestBetID = 0;
  const betIDs = new Set<number>();
  const rolledBack = new Set<number>();

  /** The refusal that a request must get; undefined when it must succeed. */
  function refusalOf({ path, body }: GameRequest): ErrorCode | undefined {
    const parsed = SCHEMAS[path].safeParse(body);
    if (!parsed.success) return 'ERR_VAL';
    if (parsed.data.sessionID !== sessionID) return 'ERR_IS';
    if (path === GAME_ROUTES.event.path) return open === undefined ? 'ERR_VAL' : undefined;
    if (path === GAME_ROUTES.endRound.path) return betIDs.size === rolledBack.size ? 'ERR_VAL' : undefined;
    if (path !== GAME_ROUTES.play.path) return undefined;
    const bet = parsed.data as unknown as Bet;
    const isAllowed = bet.amount >= MIN_BET && bet.amount <= MAX_BET && bet.amount % STEP_BET === 0;
    if (!isAllowed || Number.isNaN(costOf(bet)) || open !== undefined) return 'ERR_VAL';
    return costOf(bet) > balance ? 'ERR_IPB' : undefined;
  }

  /** Applies a play; returns what is wrong with its round. */
  function applyPlay(bet: Bet, { betID, amount, mode, payout, active }: any): string | undefined {
    const possible = Object.values(PAYOUTS).map((hundredths) => (bet.amount / 100) * hundredths);
    if (amount !== bet.amount || mode !== bet.mode.toUpperCase()) return 'the round is of another bet';
    if (!possible.includes(payout)) return `a payout of ${payout} is in no book`;
    if (active !== (mode !== 'AUTO' || payout > 0)) return 'the round is open, or closed, and should not be';
    betIDs.add(betID);
    latestBetID = betID;
    balance -= costOf(bet);
    if (active) open = { betID, debit: costOf(bet), payout };
    return undefined;
  }

  return {
    sessionID,
    balance: () => balance,
    rounds: () => betIDs.size,
    /** 0 when there is no round. */
    latestBetID: () => latestBetID,
    refusalOf,

    /** Applies a success; returns what is wrong with it. */
    success(request: GameRequest, body: any): string | undefined {
      const { path } = request;
      // A round that comes back under its Idempotency-Key moves nothing.
      const isRepeated = path === GAME_ROUTES.play.path && request.hasKey && betIDs.has(body.round.betID);
      const refusal = isRepeated ? undefined : refusalOf(request);
      if (refusal !== undefined) return `a success in place of ${refusal}`;
      if (path === GAME_ROUTES.event.path) return undefined;
      const issue = path === GAME_ROUTES.play.path && !isRepeated && applyPlay(request.body as Bet, body.round);
      if (issue) return issue;
      if (path === GAME_ROUTES.endRound.path) {
        balance += open?.payout ?? 0;
        open = undefined;
      }
      const shownRound = body.round?.active === true ? body.round.betID : undefined;
      if (path === GAME_ROUTES.authenticate.path && shownRound !== open?.betID)
        return `the open round is ${open?.betID}, and ${shownRound} was shown`;
      const shown = body.balance.amount;
      return shown === balance ? undefined : `the balance is ${balance}, and ${shown} was shown`;
    },

    /** The operator has voided the round: the debit is rolled back, once. */
    voided(betID: number): string | undefined {
      if (rolledBack.has(betID)) return undefined;
      if (open?.betID !== betID) return `round ${betID} was voided, and was not open`;
      rolledBack.add(betID);
      balance += open.debit;
      open = undefined;
      return undefined;
    },
  };
}

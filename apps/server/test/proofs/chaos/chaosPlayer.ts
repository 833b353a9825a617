import { createInsistingPlayer } from '../../support/insistingPlayer.ts';

const STEP = 200_000;
export const MODES = ['BASE', 'AUTO', 'ANTE'] as const;
const CALL_TIMEOUT_MS = 10_000;
/**
 * The operator has voided the round of the same key. Or it counts the free rounds itself, and does
 * not have the rollback of one yet: the player may play it later.
 */
const NOT_PLAYED = /the operator voided|refused the bet by a gambling limit/;

type CertainResponse = { status: number; body: any };

/** Without a grantID the player pays, unless an automatic grant does. */
type Bet = { amount: number; mode: string; grantID?: string };

/** `roundID` is the round in the response; undefined where no response was certain. */
type Play = { roundID: number | undefined; amount: number; payout?: number; atMs: number };

/** A request has no status when no response arrived. */
type Call = {
  path: string;
  status?: number;
  message?: string;
  hasRetryAfter: boolean;
  sentMs: number;
  endedMs: number;
};

export type ChaosPlayer = ReturnType<typeof createChaosPlayer>;

/**
 * Plays as a careful front end does: it keeps its Idempotency-Key until it has a response, and ends
 * what it has begun. The same `random`, from 0 to below 1, is the same player.
 */
export function createChaosPlayer(options: {
  playerID: string;
  sessionID: string;
  nodes: readonly string[];
  random: () => number;
  /** Without keys the player sends a play once. */
  hasKeys?: boolean;
  /** The player has an operator that gives free rounds, and that voids rounds. */
  hasGrants?: boolean;
}) {
  const { playerID, sessionID, nodes, random, hasKeys = true, hasGrants = false } = options;
  let rounds = 0;
  const plays: Play[] = [];
  const calls: Call[] = [];
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;

  /** Returns undefined when the node is down, or has just died with the response. */
  async function call(path: string, body: object, key?: string): Promise<CertainResponse | undefined> {
    const headers = key === undefined ? {} : { 'Idempotency-Key': key };
    const init = { method: 'POST', headers, body: JSON.stringify({ sessionID, ...body }) };
    const sentMs = performance.now();
    try {
      const response = await fetch(pick(nodes) + path, { ...init, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
      const { status, headers } = response;
      const body = (await response.json()) as any;
      const hasRetryAfter = headers.has('Retry-After');
      calls.push({ path, status, message: body.message, hasRetryAfter, sentMs, endedMs: performance.now() });
      return { status, body };
    } catch {
      calls.push({ path, hasRetryAfter: false, sentMs, endedMs: performance.now() });
      return undefined;
    }
  }

  const { insist, comeToRest } = createInsistingPlayer({ name: playerID, send: call, random });

  /** Returns undefined when no response was certain. */
  async function play(bet: Bet): Promise<CertainResponse | undefined> {
    if (hasKeys) return insist('/wallet/play', bet, `${sessionID}-${rounds}`);
    const response = await call('/wallet/play', bet);
    if (response !== undefined && response.status < 500) return response;
    plays.push({ roundID: undefined, amount: bet.amount, atMs: performance.now() });
    return undefined;
  }

  /** Plays one round to its end, paid by the player when its grant is over. */
  async function playBet(bet: Bet): Promise<void> {
    rounds += 1;
    let played = await play(bet);
    if (played?.status !== 200) {
      await comeToRest(sessionID);
      if (played !== undefined) played = await play(bet);
    }
    if (played === undefined || (hasGrants && NOT_PLAYED.test(played.body.message))) return;
    const { amount, mode, grantID } = bet;
    if (played.status === 400 && grantID !== undefined) return playBet({ amount, mode });
    if (played.status !== 200) throw new Error(`${playerID}: play responded ${JSON.stringify(played.body)}`);
    const { betID, payout, active } = played.body.round;
    plays.push({ roundID: betID, amount, payout, atMs: performance.now() });
    if (!active) return;
    if (random() < 0.2) await call('/bet/event', { event: `${rounds}` });
    await insist('/wallet/end-round', {});
  }

  /** Decides about an open grant, if there is one, and returns a bet that it pays. */
  async function chooseGrant(): Promise<Bet | undefined> {
    const response = await call('/bet/grants', {});
    const grant = response?.status === 200 ? pick<any>(response.body.grants) : undefined;
    if (grant === undefined) return undefined;
    const { grantID, amount, mode, automatic } = grant;
    if (random() < 0.2) await call('/bet/grants', { grantID, decision: pick(['accept', 'accept', 'decline']) });
    return { amount, mode, ...((!automatic || random() < 0.5) && { grantID }) };
  }

  return {
    playerID,
    sessionID,
    plays,
    calls,
    /** Plays one round to its end, whatever fails on the way. Rejects when the player is stuck. */
    async playRound() {
      const free = hasGrants && random() < 0.7 ? await chooseGrant() : undefined;
      await playBet(free ?? { amount: (1 + Math.floor(random() * 20)) * STEP, mode: pick(MODES) });
    },
  };
}

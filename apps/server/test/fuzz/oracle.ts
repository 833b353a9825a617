import { isDeepStrictEqual } from 'node:util';
import { errorBodySchema, GAME_ROUTES, gameContract, operatorErrorSchema } from '@roundhouse/contract';
import type * as z from 'zod';
import * as model from '../properties/roundModel.ts';
import { PAYOUTS } from '../support/fixtureGame.ts';
import type { WireResponse } from './connection.ts';
import type { Request } from './requests.ts';

const { replay: _, ...ROUTES } = gameContract;
type Endpoint = { path: string; body: z.ZodType; responses: { 200: z.ZodType } };
/** The five endpoints by their paths. */
export const ENDPOINTS = new Map(Object.values(ROUTES).map((route: Endpoint) => [route.path, route]));

const VOID_PATH = /^\/operator\/rounds\/(\d+)\/void$/;
const ROUND_PATH = /^\/operator\/rounds\/[^?]/;

type Judging = { isPredicted: boolean; isDamaged: boolean };

/** Knows the exact account of one session, and judges each response by it. */
export function createOracle({ sessionID, balance }: { sessionID: string; balance: number }) {
  const account: model.ModelSession['account'] = { currency: 'USD', balance, latest: undefined };
  const session: model.ModelSession = { account, isAlive: true, keys: new Map() };
  const rounds = new Map<number, model.ModelRound>();
  const voided = new Set<number>();
  /** The round before the latest, which is the latest again when that one is voided. */
  let previous: model.ModelRound | undefined;
  let latestBetID = 0;

  /** Applies a request to the session; returns the code of its refusal, if it must be refused. */
  function apply(at: model.ModelSession, path: string, body: unknown, bookID = 1): string | undefined {
    const parsed = ENDPOINTS.get(path)?.body.safeParse(body);
    if (!parsed?.success) return 'ERR_VAL';
    const sent = parsed.data as { sessionID: string; event: string; amount: number; mode: string };
    if (sent.sessionID !== sessionID) return 'ERR_IS';
    let result: model.Expected<object> = { ok: true };
    if (path === GAME_ROUTES.play.path) result = model.play(at, { ...sent, key: undefined, bookID });
    if (path === GAME_ROUTES.endRound.path) result = model.endRound(at);
    if (path === GAME_ROUTES.event.path) result = model.recordEvent(at, sent.event);
    return result.ok ? undefined : result.refusal[0];
  }

  /** What is wrong with a success of an endpoint. */
  function issueOfSuccess(path: string, sent: any, { hasKey, body }: { hasKey: boolean; body: any }) {
    const { betID, payoutMultiplier = 0 } = body.round ?? {};
    const isPlay = path === GAME_ROUTES.play.path;
    // A round that comes back under its Idempotency-Key moves nothing.
    const isRepeated = isPlay && hasKey && rounds.has(betID);
    const [bookID] = Object.entries(PAYOUTS).find(([, each]) => each === Math.round(payoutMultiplier * 100)) ?? [];
    if (bookID === undefined) return `a payout multiplier of ${payoutMultiplier} is in no book`;
    const before = account.latest;
    const refusal = isRepeated ? undefined : apply(session, path, sent, Number(bookID));
    if (refusal !== undefined) return `a success in place of ${refusal}`;
    if (isPlay && !isRepeated && account.latest !== undefined) {
      if (rounds.has(betID)) return `round ${betID} was opened twice`;
      account.latest.betID = betID;
      rounds.set(betID, account.latest);
      previous = before;
      latestBetID = betID;
    }
    const round = isRepeated ? rounds.get(betID) : account.latest;
    const all = {
      balance: { amount: account.balance, currency: 'USD' },
      round: round === undefined ? {} : model.wireRound(round),
      event: sent.event,
    };
    for (const name of ['balance', 'round', 'event'] as const) {
      if (name in body && !isDeepStrictEqual(body[name], all[name]))
        return `${name} is ${JSON.stringify(all[name])}, and ${JSON.stringify(body[name])} was shown`;
    }
    return undefined;
  }

  function gameIssue({ method, headers, body }: Request, { path, status, shown }: Shown, { isPredicted }: Judging) {
    if (status !== 200 && status !== 400) return `status ${status} at ${path}`;
    const sent: any = parsed(new TextDecoder().decode(body));
    if (status === 200) {
      const named = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
      if (method !== 'POST') return `a success by ${method}`;
      if (!/^(identity)?$/.test(named.get('content-encoding') ?? '')) return 'an encoded body was read';
      if (!ENDPOINTS.get(path)?.responses[200].safeParse(shown).success) return 'a success that is not in the contract';
      return issueOfSuccess(path, sent, { hasKey: named.has('idempotency-key'), body: shown });
    }
    if (!isPredicted) return undefined;
    const copy = { ...session, account: { ...account, latest: account.latest && { ...account.latest } } };
    const refusal = apply(copy, path, sent);
    return shown.error === refusal ? undefined : `${shown.error} in place of ${refusal ?? 'a success'}`;
  }

  /** `other` owns no round of the sessions, `forger` has no valid secret. */
  function operatorIssue({ signer, target }: Request, { path, shown }: Shown): string | undefined {
    if (signer === 'owner') return voidIssue(Number(VOID_PATH.exec(target)?.[1]));
    if (signer !== 'other') return 'a request without a valid signature was accepted';
    return ROUND_PATH.test(path) || shown.rounds?.length > 0 ? 'another operator was shown a round' : undefined;
  }

  function voidIssue(betID: number): string | undefined {
    if (Number.isNaN(betID) || voided.has(betID)) return undefined;
    if (account.latest?.betID !== betID || !account.latest.active) return `round ${betID} was voided, and was not open`;
    const { amount, costMultiplier } = model.wireRound(account.latest);
    account.balance += amount * costMultiplier;
    account.latest = previous;
    voided.add(betID);
    return undefined;
  }

  return {
    sessionID,
    balance: () => account.balance,
    rounds: () => rounds.size,
    /** 0 when there is no round. */
    latestBetID: () => latestBetID,

    /** What is wrong with the response to a request; a predicted one must be that of the model. */
    issueOf(request: Request, { status, body }: WireResponse, judging: Judging): string | undefined {
      const text = body.toString();
      if (text.includes(sessionID)) return 'the response names the session';
      // Without the host, and without a query or fragment.
      const path = request.target.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#\s].*$/s, '');
      // On a busy machine the database may take longer than a proxy waits.
      if (status === 503 && path === '/readyz') return undefined;
      if (status < 200 || status >= 500) return `status ${status}`;
      const shown: any = parsed(text);
      const isGame = ENDPOINTS.has(path);
      const errorSchema = isGame ? errorBodySchema : operatorErrorSchema;
      if (status >= 400 && request.method !== 'HEAD' && !errorSchema.safeParse(shown).success)
        return `status ${status} without the error body of the protocol`;
      // The damage may have cut the path.
      if (request.method === 'OPTIONS' || (judging.isDamaged && status === 404)) return undefined;
      if (isGame) return gameIssue(request, { path, status, shown }, judging);
      if (path.startsWith('/operator/'))
        return status < 400 ? operatorIssue(request, { path, status, shown }) : undefined;
      if (shown?.balance !== undefined) return 'an odd path has reached the API';
      return judging.isPredicted && status !== 200 ? `status ${status} in place of 200` : undefined;
    },
  };
}

/** A response: the path of its request, and its body as JSON. */
type Shown = { path: string; status: number; shown: any };

/**
 * Of one response more than requests were sent: the server found a request where none was meant.
 */
export function issueOfMore({ status, body }: WireResponse): string | undefined {
  const isRefused = status === 400 && errorBodySchema.safeParse(parsed(body.toString())).success;
  return isRefused ? undefined : `one more response, of status ${status}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

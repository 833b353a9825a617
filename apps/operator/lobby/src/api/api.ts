import type { FaultPlan } from '@roundhouse/contract';
import type { CurrencyCode } from '@roundhouse/contract/light';

import type {
  ForcedOutcome,
  ForceRequest,
  LaunchedSession,
  LaunchRequest,
  LobbyFacts,
  PlayerAccount,
  StatementPage,
  Wire,
} from './apiTypes.ts';

/** Why there is no answer. `refused`: the operator has answered, and says no. */
export type Failure = { kind: 'unreachable' } | { kind: 'refused'; code: string; message: string };

export type Answer<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** Lines of the statement that are read at once. */
export const STATEMENT_PAGE_SIZE = 50;

export type Api = ReturnType<typeof createApi>;

/** The operator's routes for this page. Nothing here throws: what went wrong is part of the answer. */
export function createApi({ send }: { send: typeof fetch }) {
  const call = <Value>(method: string, path: string, body?: unknown) => callWith<Value>(send, { method, path, body });
  return {
    lobby: () => call<LobbyFacts>('GET', 'api/lobby'),
    /** Makes the player when there is none of that name, and the account in the currency when it is used first. */
    enter: (player: { playerID?: string; currency: CurrencyCode }) =>
      call<PlayerAccount>('POST', 'api/players', player),
    launch: (request: LaunchRequest) => call<LaunchedSession>('POST', 'api/launch', request),
    /** @param before id of the line after which to go on; without it the newest lines */
    statement: ({ playerID, currency, before }: AccountKey & { before?: string }) =>
      call<StatementPage>('GET', statementPath({ playerID, currency }, before)),
    setBalance: ({ playerID, currency, amount }: AccountKey & { amount: number }) =>
      call<{ balance: number }>('POST', `${playerPath(playerID)}/balance`, { currency, amount }),
    force: (request: ForceRequest) => call<ForcedOutcome>('POST', 'api/bench/force', request),
    faults: (wire: Wire) => call<FaultPlan>('GET', `api/bench/${wire}-faults`),
    setFaults: (wire: Wire, plan: FaultPlan) => call<FaultPlan>('PUT', `api/bench/${wire}-faults`, plan),
    clearFaults: (wire: Wire) => call<unknown>('DELETE', `api/bench/${wire}-faults`),
  };
}

export type AccountKey = { playerID: string; currency: CurrencyCode };

/** Where the new lines of an account come from, as server-sent events. */
export function statementStreamUrl({ playerID, currency }: AccountKey): string {
  return `${playerPath(playerID)}/statement/stream?${new URLSearchParams({ currency })}`;
}

function playerPath(playerID: string): string {
  return `api/players/${encodeURIComponent(playerID)}`;
}

function statementPath({ playerID, currency }: AccountKey, before: string | undefined): string {
  const query = new URLSearchParams({ currency, limit: String(STATEMENT_PAGE_SIZE) });
  if (before !== undefined) query.set('before', before);
  return `${playerPath(playerID)}/statement?${query}`;
}

type Call = { method: string; path: string; body: unknown };

async function callWith<Value>(send: typeof fetch, { method, path, body }: Call): Promise<Answer<Value>> {
  const init: RequestInit =
    body === undefined
      ? { method }
      : { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const response = await send(path, init);
    const text = await response.text();
    const value = text === '' ? undefined : (JSON.parse(text) as unknown);
    return response.ok ? { ok: true, value: value as Value } : { ok: false, failure: refusalOf(value) };
  } catch {
    // No connection, or an answer that is not the operator's: a proxy in between speaks HTML.
    return { ok: false, failure: { kind: 'unreachable' } };
  }
}

function refusalOf(body: unknown): Failure {
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown };
  return {
    kind: 'refused',
    code: typeof error === 'string' ? error : 'ERR_GEN',
    message: typeof message === 'string' ? message : '',
  };
}

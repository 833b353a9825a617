import type {
  Draws,
  FaultPlan,
  FindBooksRequest,
  FindBooksResponse,
  OperatorGame,
  ReadHttpsResponse,
  ReadParityResponse,
} from '@roundhouse/contract';
import type { ConfiguredCurrency, CurrencyCode, Device, Jurisdiction, Language } from '@roundhouse/contract/light';

/** A game that can be opened. A server may say how its rounds are drawn. */
export type LobbyGame = OperatorGame;

/** The facts that the page needs first. */
export type LobbyFacts = {
  operator: { name: string; code: string };
  games: LobbyGame[];
  currencies: CurrencyCode[];
  /** How the currencies that the game server configures are shown. */
  configuredCurrencies: ConfiguredCurrency[];
  languages: Language[];
  /** Whether there is a studio bench: only on a developer's machine. */
  bench: boolean;
  /** Games that `npm start` is still building. `text` has the time left. */
  beingBuilt: { title: string; text: string }[];
  /** Browsers reach the game server here. */
  rgsUrl: string;
};

/** The player with a balance, in micros, for each currency that they have used. */
export type PlayerAccount = { playerID: string; balances: { currency: CurrencyCode; balance: number }[] };

export type LaunchRequest = {
  playerID: string;
  gameID: string;
  currency: CurrencyCode;
  lang: Language;
  device: Device;
  social?: boolean;
  draws?: Draws;
  country?: string;
  jurisdiction?: Partial<Jurisdiction>;
};

export type LaunchedSession = { sessionID: string; url: string };

export type EntryKind = 'deposit' | 'withdrawal' | 'debit' | 'credit' | 'rollback';

/** An entry of the statement has micros. `amount` is negative when it leaves the player. */
export type StatementEntry = {
  /** Digits only. Later entries of an account have larger ids. */
  id: string;
  /** The instant, in ISO 8601. */
  at: string;
  kind: EntryKind;
  amount: number;
  balanceAfter: number;
  transactionID: string;
  roundID: string | null;
  gameID: string | null;
  /** The operator pays the bet of this round. */
  grantID: string | null;
  /** The entry pays the wins of all rounds of the grant. */
  grantClosed: boolean;
};

/** Newest first. */
export type StatementPage = { currency: CurrencyCode; balance: number; entries: StatementEntry[] };

/** What the stream sends for each new entry. */
export type StatementEvent = { entry: StatementEntry; balance: number };

/** Gives the player free rounds of the game: the bet of each, in micros. */
export type FreeRoundsRequest = {
  playerID: string;
  currency: CurrencyCode;
  gameID: string;
  mode: string;
  amount: number;
  automatic: boolean;
  paidAtEnd: boolean;
};

export const RESULT_KINDS = ['loss', 'small', 'big', 'max', 'feature'] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

/** A book, or any of a kind; `feature: false` leaves out those with a feature. */
export type WishedOutcome = { bookID: number } | { kind: ResultKind; feature?: false };
export type ForceRequest = { sessionID: string; mode?: string } & WishedOutcome;
export type ForcedOutcome = { bookID: number; mode: string };

/**
 * The places where faults can be injected: between game and server, between server and wallet.
 */
export const WIRES = ['game', 'wallet'] as const;
export type Wire = (typeof WIRES)[number];

/** `unreachable` means that the operator did not respond. */
export type Failure = { kind: 'unreachable' } | { kind: 'refused'; code: string; message: string };

export type Result<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** The number of entries that one request reads. */
export const STATEMENT_PAGE_SIZE = 50;

export type Api = ReturnType<typeof createApi>;

/** The requests return a failure and do not throw. */
export function createApi({ send }: { send: typeof fetch }) {
  const request = <Value>(method: string, path: string, body?: unknown) =>
    sendRequest<Value>(send, { method, path, body });
  return {
    lobby: () => request<LobbyFacts>('GET', 'api/lobby'),
    /** Creates the player and the account in this currency if they are missing. */
    enter: (player: { playerID?: string; currency: CurrencyCode }) =>
      request<PlayerAccount>('POST', 'api/players', player),
    launch: (body: LaunchRequest) => request<LaunchedSession>('POST', 'api/launch', body),
    /** @param before reads entries older than this id; without it the newest ones */
    statement: ({ playerID, currency, before }: AccountKey & { before?: string }) =>
      request<StatementPage>('GET', statementPath({ playerID, currency }, before)),
    deposit: ({ playerID, currency, amount }: AccountKey & { amount: number }) =>
      request<{ balance: number }>('POST', `${playerPath(playerID)}/deposits`, { currency, amount }),
    setBalance: ({ playerID, currency, amount }: AccountKey & { amount: number }) =>
      request<{ balance: number }>('POST', `${playerPath(playerID)}/balance`, { currency, amount }),
    giveFreeRounds: (body: FreeRoundsRequest) => request<{ given: number }>('POST', 'api/bench/free-rounds', body),
    force: (body: ForceRequest) => request<ForcedOutcome>('POST', 'api/bench/force', body),
    books: (body: FindBooksRequest) => request<FindBooksResponse>('POST', 'api/bench/books', body),
    parity: (sessionID: string) => request<ReadParityResponse>('POST', 'api/bench/parity', { sessionID }),
    https: () => request<ReadHttpsResponse>('GET', 'api/bench/https'),
    faults: (wire: Wire) => request<FaultPlan>('GET', `api/bench/${wire}-faults`),
    setFaults: (wire: Wire, plan: FaultPlan) => request<FaultPlan>('PUT', `api/bench/${wire}-faults`, plan),
    clearFaults: (wire: Wire) => request<unknown>('DELETE', `api/bench/${wire}-faults`),
  };
}

export type AccountKey = { playerID: string; currency: CurrencyCode };

/** Sends the new entries of an account as server-sent events. */
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

type ApiRequest = { method: string; path: string; body: unknown };

async function sendRequest<Value>(send: typeof fetch, { method, path, body }: ApiRequest): Promise<Result<Value>> {
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
    // No connection, or a response that is not JSON, such as the HTML of a proxy.
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

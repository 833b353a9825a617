import type {
  BetConfig,
  CurrencyCode,
  ErrorCode,
  Fairness,
  Grant,
  HistoryRound,
  Jurisdiction,
  RevealedSeed,
  Round,
} from '@roundhouse/sdk';
import { type BookEvent, MODE_COST_HUNDREDTHS, type ModeName } from '../../../rules.ts';
import { paidMicros } from '../money.ts';
import { payoutOf, plainBook } from './books.ts';

type FairnessRequest = 'seeds' | 'client-seed' | 'rotate' | 'proof' | 'export';

type RequestName =
  | 'authenticate'
  | 'balance'
  | 'play'
  | 'end-round'
  | 'event'
  | 'history'
  | 'grants'
  | FairnessRequest
  | 'replay'
  | 'demo/config'
  | 'demo/play';

/** A fault is an error code, no connection, or a response lost after the work was done. */
export type Fault = ErrorCode | 'no-network' | 'lost-response' | 'not-found';

export type FakeServer = {
  readonly fetch: typeof fetch;
  readonly requests: { readonly name: RequestName; readonly body: Record<string, unknown> }[];
  readonly config: BetConfig;
  balance: number;
  currency: CurrencyCode;
  round: Round | undefined;
  /** All free rounds that were given, oldest first; ended ones too. */
  grants: Grant[];
  /** The history lists these rounds, newest first. Rounds that are played are not added. */
  past: HistoryRound[];
  /** The seeds of provably fair draws; undefined for the certified generator. */
  fairness: Fairness | undefined;
  revealed: RevealedSeed[];
  /** Books with these paths have been replayed. */
  readonly replayed: string[];
  /** The next plays get these books, in order. Later plays win nothing. */
  readonly books: BookEvent[][];
  /** Makes the next request of this name fail. Tests may set it more than once. */
  fail(name: RequestName, fault: Fault): void;
  /** Opens a round as another tab would. */
  openRound(book: BookEvent[], settings?: { mode?: ModeName; event?: string }): void;
  count(name: RequestName): number;
  /** Changes a grant, as its operator or its clock does. */
  changeGrant(grantID: string, change: Partial<Grant>): void;
};

/** Returns three free rounds at half a unit. */
export function grantOf(grantID: string, change: Partial<Grant> = {}): Grant {
  const rules = { mode: 'BASE', amount: 500_000, automatic: false, paidAtEnd: false };
  const counts = { given: 3, used: 0, left: 3, won: 0 };
  const period = { startsAt: '2020-01-01T00:00:00.000Z', expiresAt: '2999-01-01T00:00:00.000Z' };
  return { grantID, state: 'offered', ...rules, ...counts, ...period, ...change } as Grant;
}

const isOpen = ({ state }: Grant) => state === 'offered' || state === 'accepted';

const JURISDICTION: Jurisdiction = {
  socialCasino: false,
  disabledFullscreen: false,
  disabledTurbo: false,
  disabledSuperTurbo: false,
  disabledAutoplay: false,
  disabledSlamstop: false,
  disabledSpacebar: false,
  disabledBuyFeature: false,
  displayNetPosition: false,
  displayRTP: false,
  displaySessionTimer: false,
  minimumRoundDuration: 0,
  realityCheckInterval: 0,
  requireAutoplayLossLimit: false,
  idleTimeout: 0,
  singleInstance: false,
  disabledLossCelebration: false,
  requireStartRelease: false,
  maximumAutoplayRounds: 0,
};

class Refusal extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode) {
    super(code);
    this.code = code;
  }
}

/** Makes a server in memory that follows the protocol and injects faults. */
export function createFakeServer(jurisdiction: Partial<Jurisdiction> = {}): FakeServer {
  const faults: { name: RequestName; fault: Fault }[] = [];
  const responsesByKey = new Map<string, unknown>();
  let lastBetID = 0;

  function openRound(book: BookEvent[], { mode = 'BASE', event }: { mode?: ModeName; event?: string } = {}): void {
    const amount = 1_000_000;
    server.balance -= paidMicros({ betMicros: amount, hundredths: MODE_COST_HUNDREDTHS[mode] });
    server.round = roundOf({ amount, mode, book, event: event ?? null });
  }

  function roundOf(bet: { amount: number; mode: ModeName; book: BookEvent[]; event: string | null }): Round {
    lastBetID += 1;
    const hundredths = payoutOf(bet.book);
    return {
      betID: lastBetID,
      amount: bet.amount as Round['amount'],
      payout: paidMicros({ betMicros: bet.amount, hundredths }),
      payoutMultiplier: hundredths / 100,
      costMultiplier: MODE_COST_HUNDREDTHS[bet.mode] / 100,
      active: true,
      mode: bet.mode,
      event: bet.event,
      state: bet.book,
    };
  }

  const balance = () => ({ amount: server.balance, currency: server.currency });

  /** A play that names no grant takes a round of an automatic one. */
  function grantOfPlay({ grantID, amount, mode }: Record<string, unknown>): Grant | undefined {
    const isOfPlay = (grant: Grant) =>
      isOpen(grant) && grant.left > 0 && grant.amount === amount && grant.mode === mode;
    if (!grantID) return server.grants.find((grant) => grant.automatic && isOfPlay(grant));
    const named = server.grants.find((grant) => grant.grantID === grantID);
    if (!named || !isOfPlay(named)) throw new Refusal('ERR_VAL');
    return named;
  }

  function completeInGrant({ grantID, payout }: Round): void {
    const grant = server.grants.find((each) => each.grantID === grantID);
    if (!grant) return;
    const state = isOpen(grant) && grant.left === 0 ? 'finished' : grant.state;
    server.changeGrant(grant.grantID, { state, won: (grant.won + payout) as Grant['won'] });
  }

  const work: Record<
    Exclude<RequestName, 'replay'>,
    (body: Record<string, unknown>, key: string | undefined) => unknown
  > = {
    authenticate() {
      const grants = server.grants.filter(isOpen);
      const { fairness } = server;
      const meta = { ...(grants.length > 0 && { grants }), ...(fairness && { fairness }) };
      return {
        balance: balance(),
        config: server.config,
        round: server.round ?? {},
        meta: Object.keys(meta).length > 0 ? meta : null,
      };
    },
    balance: () => ({ balance: balance() }),
    play(body, key) {
      const before = key === undefined ? undefined : responsesByKey.get(key);
      if (before) return before;
      const mode = String(body.mode) as ModeName;
      const amount = Number(body.amount);
      const grant = grantOfPlay(body);
      const debit = grant ? 0 : paidMicros({ betMicros: amount, hundredths: MODE_COST_HUNDREDTHS[mode] });
      if (server.round?.active) throw new Refusal('ERR_VAL');
      if (debit > server.balance) throw new Refusal('ERR_IPB');
      server.balance -= debit;
      server.round = roundOf({ amount, mode, book: server.books.shift() ?? plainBook(0), event: null });
      if (server.fairness) server.fairness = { ...server.fairness, nonce: server.fairness.nonce + 1 };
      if (grant) {
        server.round = { ...server.round, grantID: grant.grantID };
        server.changeGrant(grant.grantID, { state: 'accepted', used: grant.used + 1, left: grant.left - 1 });
      }
      const response = { balance: balance(), round: server.round };
      if (key !== undefined) responsesByKey.set(key, response);
      return response;
    },
    'end-round'() {
      if (server.round?.active) {
        server.balance += server.round.payout;
        server.round = { ...server.round, active: false };
        completeInGrant(server.round);
      }
      return { balance: balance() };
    },
    event(body) {
      if (!server.round?.active) throw new Refusal('ERR_VAL');
      server.round = { ...server.round, event: String(body.event) };
      return { event: body.event };
    },
    'demo/config': () => ({ config: server.config, currency: server.currency }),
    'demo/play'({ amount, mode }) {
      const bet = { amount: Number(amount), mode: String(mode) as ModeName };
      const round = roundOf({ ...bet, book: server.books.shift() ?? plainBook(0), event: null });
      return { round: { ...round, betID: 0 } };
    },
    grants({ grantID, decision }) {
      const grant = server.grants.find((each) => each.grantID === grantID);
      if (grantID && !grant) throw new Refusal('ERR_VAL');
      if (grant && decision && !isOpen(grant)) throw new Refusal('ERR_VAL');
      if (grant && decision === 'accept') server.changeGrant(grant.grantID, { state: 'accepted' });
      if (grant && decision === 'decline') server.changeGrant(grant.grantID, { state: 'declined', left: 0 });
      return { grants: server.grants.filter((each) => isOpen(each) || each.grantID === grantID) };
    },
    seeds: () => ({ fairness: seedsInUse(), revealed: server.revealed }),
    'client-seed'({ clientSeed }) {
      if (server.round?.active) throw new Refusal('ERR_VAL');
      server.fairness = { ...seedsInUse(), clientSeed: String(clientSeed) };
      return { fairness: server.fairness };
    },
    rotate({ serverSeedHash, clientSeed }) {
      const { nextServerSeedHash, nonce } = seedsInUse();
      const isKnown = serverSeedHash === seedsInUse().serverSeedHash;
      if (server.round?.active || !isKnown || nonce === 0) throw new Refusal('ERR_VAL');
      const next = { serverSeedHash: nextServerSeedHash, nextServerSeedHash: fakeHash(server.revealed.length + 2) };
      const revealed = {
        serverSeed: fakeHash(0),
        serverSeedHash,
        nonces: nonce,
        revealedAt: '2026-01-01T00:00:00.000Z',
      };
      server.revealed = [revealed as RevealedSeed, ...server.revealed];
      server.fairness = { ...next, clientSeed: String(clientSeed), nonce: 0 };
      return { revealed, fairness: server.fairness };
    },
    proof: ({ betID }) => documentOf([{ betID }]),
    export: () => documentOf(server.past.map(({ betID }) => ({ betID }))),
    history({ before = Infinity, limit }) {
      const older = server.past.filter(({ betID }) => betID < Number(before));
      const rounds = older.slice(0, Number(limit));
      return { rounds, next: older.length > rounds.length ? rounds.at(-1)?.betID : null };
    },
  };

  function seedsInUse(): Fairness {
    if (!server.fairness) throw new Refusal('ERR_VAL');
    return server.fairness;
  }

  const server: FakeServer = {
    requests: [],
    balance: 1_000_000_000,
    currency: 'EUR',
    round: undefined,
    grants: [],
    past: [],
    fairness: undefined,
    revealed: [],
    replayed: [],
    books: [],
    config: {
      gameID: 'aurora-line',
      minBet: 100_000,
      maxBet: 100_000_000,
      stepBet: 100_000,
      defaultBetLevel: 1_000_000,
      betLevels: [100_000, 500_000, 1_000_000, 2_000_000, 100_000_000],
      betModes: {
        BASE: { mode: 'BASE', costMultiplier: 1, feature: false },
        ANTE: { mode: 'ANTE', costMultiplier: 1.25, feature: false },
        BONUS: { mode: 'BONUS', costMultiplier: 80, feature: true },
      },
      jurisdiction: { ...JURISDICTION, ...jurisdiction },
    } as BetConfig,
    fail: (name, fault) => void faults.push({ name, fault }),
    openRound,
    changeGrant(grantID, change) {
      server.grants = server.grants.map((grant) => (grant.grantID === grantID ? { ...grant, ...change } : grant));
    },
    count: (name) => server.requests.filter((request) => request.name === name).length,
    async fetch(input, init) {
      const path = String(input);
      const name = requestNameOf(path);
      const body = init?.body ? (JSON.parse(String(init.body)) as Record<string, unknown>) : {};
      server.requests.push({ name, body });
      if (name === 'replay') server.replayed.push(path.slice(path.indexOf('/bet/replay/') + '/bet/replay/'.length));
      const index = faults.findIndex((planned) => planned.name === name);
      const fault = index < 0 ? undefined : faults.splice(index, 1)[0]?.fault;
      if (fault === 'no-network') throw new TypeError('Failed to fetch');
      if (fault === 'not-found') return refusalResponse('ERR_VAL', 404);
      if (fault && fault !== 'lost-response') return refusalResponse(fault);
      try {
        const response = name === 'replay' ? replayOf(server) : work[name](body, keyOf(init));
        if (fault) throw new TypeError('the response was lost');
        return Response.json(response);
      } catch (error) {
        if (error instanceof Refusal) return refusalResponse(error.code);
        throw error;
      }
    },
  };
  return server;
}

/** Returns 64 digits, as a hash has them. */
export function fakeHash(digit: number): string {
  return String(digit % 10).repeat(64);
}

function documentOf(rounds: readonly object[]) {
  const seeds = { serverSeedHash: fakeHash(1), serverSeed: null, nonces: null, clientSeeds: [] };
  return { format: 'roundhouse-fair-1', ...seeds, tables: [], rounds };
}

function requestNameOf(path: string): RequestName {
  if (path.includes('/bet/replay/')) return 'replay';
  const demo = path.indexOf('demo/');
  return path.slice(demo < 0 ? path.lastIndexOf('/') + 1 : demo) as RequestName;
}

function keyOf(init: RequestInit | undefined): string | undefined {
  return new Headers(init?.headers).get('Idempotency-Key') ?? undefined;
}

function replayOf({ books }: FakeServer): unknown {
  const state = books[0] ?? plainBook(0);
  return { payoutMultiplier: payoutOf(state) / 100, costMultiplier: 1, state };
}

function refusalResponse(
  code: ErrorCode,
  status = code === 'ERR_GEN' || code === 'ERR_MAINTENANCE' ? 500 : 400,
): Response {
  const headers = { 'X-Request-Id': `request-${code}` };
  return Response.json({ error: code, message: code }, { status, headers });
}

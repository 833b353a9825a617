import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CURRENCY_CODES, LANGUAGES, type Language } from '@roundhouse/contract/light';
import type { Plugin } from 'vite';
import type { EntryKind, LobbyFacts, LobbyGame, StatementEntry } from './src/api.ts';

type Body = Record<string, unknown>;
type FakeResponse = { status: number; body: unknown };

/** Serves the operator's routes under `vite` alone. The accounts are in memory. */
export function fakeOperator(): Plugin {
  const accounts = createFakeAccounts();
  const plans: Record<string, unknown> = {};
  return {
    name: 'fake-operator',
    configureServer(server) {
      server.middlewares.use((req, res, next) => {
        const url = new URL(req.url ?? '/', 'http://fake.operator');
        if (url.pathname === '/fake-game') return void res.setHeader('Content-Type', 'text/html').end(FAKE_GAME_PAGE);
        if (!url.pathname.startsWith('/api/')) return next();
        if (url.pathname.endsWith('/statement/stream')) return accounts.stream(playerOf(url), currencyOf(url), res);
        void readBody(req).then((body) => respond(res, responseTo({ method: req.method, url, body, accounts, plans })));
      });
    },
  };
}

type FakeRequest = {
  method: string | undefined;
  url: URL;
  body: Body;
  accounts: FakeAccounts;
  plans: Record<string, unknown>;
};

function responseTo({ method, url, body, accounts, plans }: FakeRequest): FakeResponse {
  const { pathname } = url;
  if (pathname === '/api/lobby') return ok(FAKE_FACTS);
  if (pathname === '/api/players') return ok(accounts.enter(body.playerID, String(body.currency)));
  if (pathname === '/api/launch') return ok(launch(body));
  if (pathname === '/api/fake-spin') return ok(accounts.spin(body));
  if (pathname.endsWith('/statement')) return ok(accounts.page(playerOf(url), currencyOf(url), url.searchParams));
  if (pathname.endsWith('/balance')) {
    return ok(accounts.setBalance(playerOf(url), String(body.currency), Number(body.amount)));
  }
  if (pathname === '/api/bench/free-rounds') return ok({ given: FAKE_GRANT_ROUNDS });
  if (pathname === '/api/bench/force') return ok({ bookID: body.bookID ?? 4711, mode: body.mode });
  if (pathname === '/api/bench/books') return ok(FAKE_BOOKS);
  if (pathname === '/api/bench/parity') return ok({ isStrict: false, marks: [] });
  if (pathname === '/api/bench/https') return ok({ url: 'https://127.0.0.1:3000', refusals: 0 });
  if (pathname.endsWith('-faults')) {
    if (method === 'PUT') plans[pathname] = body;
    if (method === 'DELETE') delete plans[pathname];
    return ok(plans[pathname] ?? { faults: [] });
  }
  return { status: 404, body: { error: 'ERR_VAL', message: 'no such route' } };
}

function launch(body: Body) {
  const sessionID = `fake:${crypto.randomUUID()}`;
  const query = new URLSearchParams({ sessionID });
  for (const [name, value] of Object.entries(body)) {
    query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return { sessionID, url: `/fake-game?${query}` };
}

function ok(body: unknown): FakeResponse {
  return { status: 200, body };
}

function respond(res: ServerResponse, { status, body }: FakeResponse): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function playerOf(url: URL): string {
  return decodeURIComponent(url.pathname.split('/')[3] ?? '');
}

function currencyOf(url: URL): string {
  return url.searchParams.get('currency') ?? 'USD';
}

async function readBody(req: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of req) text += chunk;
  return text === '' ? {} : (JSON.parse(text) as Body);
}

const FAKE_GRANT_ROUNDS = 5;
const OPENING_BALANCE = 1_000_000_000;

type Account = { balance: number; entries: StatementEntry[]; listeners: Set<ServerResponse> };
type Transaction = { kind: EntryKind; amount: number; roundID?: string; gameID?: string };

type FakeAccounts = ReturnType<typeof createFakeAccounts>;

/** Holds balances and statements in memory, by player and currency. */
function createFakeAccounts() {
  const accounts = new Map<string, Account>();
  let lastID = 0;
  let lastRound = 1200;

  function move(account: Account, { kind, amount, roundID, gameID }: Transaction): void {
    lastID += 1;
    account.balance += amount;
    const entry: StatementEntry = {
      id: String(lastID),
      at: new Date().toISOString(),
      kind,
      amount,
      balanceAfter: account.balance,
      transactionID: randomUUID(),
      roundID: roundID ?? null,
      gameID: gameID ?? null,
      grantID: null,
      grantClosed: false,
    };
    account.entries.unshift(entry);
    const data = JSON.stringify({ entry, balance: account.balance });
    for (const listener of account.listeners) listener.write(`event: entry\ndata: ${data}\n\n`);
  }

  function accountOf(playerID: string, currency: string): Account {
    const key = JSON.stringify([playerID, currency]);
    const known = accounts.get(key);
    if (known) return known;
    const account: Account = { balance: 0, entries: [], listeners: new Set() };
    accounts.set(key, account);
    move(account, { kind: 'deposit', amount: OPENING_BALANCE });
    return account;
  }

  return {
    enter(name: unknown, currency: string) {
      const playerID = typeof name === 'string' ? name : `player-${1 + Math.floor(Math.random() * 9999)}`;
      return { playerID, balances: [{ currency, balance: accountOf(playerID, currency).balance }] };
    },
    page(playerID: string, currency: string, query: URLSearchParams) {
      const { balance, entries } = accountOf(playerID, currency);
      const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
      const limit = Number(query.get('limit') ?? 50);
      return { currency, balance, entries: entries.filter(({ id }) => Number(id) < before).slice(0, limit) };
    },
    setBalance(playerID: string, currency: string, amount: number) {
      const account = accountOf(playerID, currency);
      const change = amount - account.balance;
      if (change !== 0) move(account, { kind: change > 0 ? 'deposit' : 'withdrawal', amount: change });
      return { balance: account.balance };
    },
    /** Returns one round: every third wins, every seventh is rolled back. */
    spin({ playerID, currency, gameID }: Record<string, unknown>) {
      const account = accountOf(String(playerID), String(currency));
      lastRound += 1;
      const round = { roundID: String(lastRound), gameID: String(gameID) };
      move(account, { kind: 'debit', amount: -1_000_000, ...round });
      if (lastRound % 7 === 0) move(account, { kind: 'rollback', amount: 1_000_000, ...round });
      else move(account, { kind: 'credit', amount: lastRound % 3 === 0 ? 2_500_000 : 0, ...round });
      return { balance: account.balance };
    },
    stream(playerID: string, currency: string, res: ServerResponse) {
      const { listeners } = accountOf(playerID, currency);
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      res.write(': here\n\n');
      listeners.add(res);
      res.on('close', () => listeners.delete(res));
    },
  };
}

const FAKE_BETS = {
  default: {
    minBet: 200_000,
    maxBet: 100_000_000,
    stepBet: 200_000,
    defaultBetLevel: 1_000_000,
    betLevels: [1_000_000],
  },
};

/** One game of each kind that the page shows differently. */
const FAKE_FACTS: LobbyFacts = {
  operator: { name: 'Turntable Casino', code: 'reference' },
  games: [
    {
      gameID: 'aurora-line',
      version: '1.0.0',
      title: 'Aurora Line',
      currencies: [...CURRENCY_CODES],
      modes: ['BASE', 'BONUS', 'SUPER'],
      statistics: [
        fakeStatistics('BASE', { maxWin: 5000, standardDeviation: 12 }),
        fakeStatistics('BONUS', { costMultiplier: 80 }),
        fakeStatistics('SUPER', { costMultiplier: 200, rtp: 0.965 }),
      ],
      bets: FAKE_BETS,
      draws: 'certified',
      hasFrontend: true,
    },
    {
      gameID: 'sample-lines',
      version: 'a41f09c2',
      title: 'Sample Lines',
      currencies: [...CURRENCY_CODES],
      modes: ['BASE', 'BONUS'],
      statistics: [fakeStatistics('BASE', {}), fakeStatistics('BONUS', { costMultiplier: 100 })],
      bets: FAKE_BETS,
      draws: 'certified',
      hasFrontend: false,
    },
    {
      gameID: 'harbour-lights',
      version: '2.3.1',
      title: 'Harbour Lights',
      currencies: ['USD', 'EUR'],
      modes: ['BASE'],
      statistics: [fakeStatistics('BASE', { standardDeviation: 2.5, volatility: 'low', maxWin: 250 })],
      bets: FAKE_BETS,
      draws: 'certified',
      hasFrontend: true,
    },
  ],
  currencies: [...CURRENCY_CODES],
  configuredCurrencies: [],
  languages: Object.keys(LANGUAGES) as Language[],
  bench: true,
  beingBuilt: [{ title: 'Coral Cascade', text: 'being built, 20 s' }],
  rgsUrl: 'http://127.0.0.1:3000',
};

function fakeStatistics(mode: string, more: Partial<LobbyGame['statistics'][number]>): LobbyGame['statistics'][number] {
  const usual = { costMultiplier: 1, rtp: 0.96, standardDeviation: 11, hitRate: 0.28, maxWin: 1000 };
  const table = { rows: 100_000, totalWeight: '1000000000', sha256: '0'.repeat(64), root: '1'.repeat(64) };
  return { mode, ...usual, table, volatility: 'high', ...more };
}

const FAKE_BOOKS = {
  books: Array.from({ length: 10 }, (_, index) => ({
    bookID: 20 + index,
    payoutMultiplier: index * 1.5,
    events: [
      { type: 'reveal', count: 1 },
      { type: 'setWin', count: 1 + index },
    ],
  })),
  next: 31,
  bookCount: 100_000,
  eventTypes: [
    { type: 'reveal', share: 1, isFeature: false },
    { type: 'setWin', share: 0.3, isFeature: false },
  ],
};

/** Shows a game with one button, and its launch parameters. */
const FAKE_GAME_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>A game</title>
    <style>
      html, body { height: 100%; margin: 0 }
      body { display: grid; place-content: center; gap: 24px; justify-items: center; font: 16px sans-serif; color: #eaf4ff;
        background: radial-gradient(ellipse at 50% 110%, #1d8f86, #101a44 55%, #070b1f) }
      button { padding: 20px 44px; border: 0; border-radius: 99px; font: 600 20px sans-serif; background: #f4c867 }
      pre { opacity: .7; white-space: pre-wrap; font-size: 12px; max-width: 80vw; overflow-wrap: anywhere }
    </style>
  </head>
  <body>
    <button>Spin</button>
    <pre></pre>
    <script>
      const launch = Object.fromEntries(new URLSearchParams(location.search));
      document.querySelector('pre').textContent = JSON.stringify(launch, null, 2);
      document.querySelector('button').onclick = () =>
        fetch('/api/fake-spin', { method: 'POST', body: JSON.stringify(launch) });
    </script>
  </body>
</html>
`;

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plugin } from 'vite';
import { createFakeAccounts, type FakeAccounts } from './fakeAccounts.ts';
import { FAKE_FACTS } from './fakeFacts.ts';
import { FAKE_GAME_PAGE } from './fakeGamePage.ts';

type Body = Record<string, unknown>;
type Reply = { status: number; body: unknown };

/** An operator of cardboard for `vite`: the routes that the page calls, with money that is forgotten at the end. */
export function fakeHouse(): Plugin {
  const accounts = createFakeAccounts();
  const plans: Record<string, unknown> = {};
  return {
    name: 'fake-house',
    configureServer(server) {
      server.middlewares.use((req, res, next) => {
        const url = new URL(req.url ?? '/', 'http://fake.house');
        if (url.pathname === '/fake-game') return void res.setHeader('Content-Type', 'text/html').end(FAKE_GAME_PAGE);
        if (!url.pathname.startsWith('/api/')) return next();
        if (url.pathname.endsWith('/statement/stream')) return accounts.stream(playerOf(url), currencyOf(url), res);
        void readBody(req).then((body) =>
          answer({ res, reply: replyTo({ method: req.method, url, body, accounts, plans }) }),
        );
      });
    },
  };
}

type Question = {
  method: string | undefined;
  url: URL;
  body: Body;
  accounts: FakeAccounts;
  plans: Record<string, unknown>;
};

function replyTo({ method, url, body, accounts, plans }: Question): Reply {
  const { pathname } = url;
  if (pathname === '/api/lobby') return ok(FAKE_FACTS);
  if (pathname === '/api/players') return ok(accounts.enter(body.playerID, String(body.currency)));
  if (pathname === '/api/launch') return ok(launch(body));
  if (pathname === '/api/fake-spin') return ok(accounts.spin(body));
  if (pathname.endsWith('/statement')) return ok(accounts.page(playerOf(url), currencyOf(url), url.searchParams));
  if (pathname.endsWith('/balance')) {
    return ok(accounts.setBalance(playerOf(url), String(body.currency), Number(body.amount)));
  }
  if (pathname === '/api/bench/force') return ok({ bookID: body.bookID ?? 4711, mode: body.mode });
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

function ok(body: unknown): Reply {
  return { status: 200, body };
}

function answer({ res, reply }: { res: ServerResponse; reply: Reply }): void {
  res.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body));
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

import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { OPERATOR_HEADER, signatureIssue } from '@roundhouse/contract';
import type { TestResponse } from './http.ts';

type RgsRequest = {
  method: string;
  path: string;
  body: any;
  /** The body as it came. */
  text: string;
  headers: http.IncomingHttpHeaders;
  operator: string | undefined;
  /** The issue of its signature; undefined when it is valid. */
  issue: string | undefined;
};

export type FakeRgs = Awaited<ReturnType<typeof startFakeRgs>>;

export const GAME = {
  gameID: 'sample',
  version: '1',
  title: 'Sample',
  currencies: ['EUR', 'USD'],
  modes: ['BASE'],
  statistics: [
    {
      ...{ mode: 'BASE', costMultiplier: 1, rtp: 0.96, hitRate: 0.25, maxWin: 500 },
      ...{ standardDeviation: 8, volatility: 'medium' },
      table: { rows: 2, totalWeight: '10', sha256: 'a'.repeat(64), root: 'b'.repeat(64) },
    },
  ],
  bets: {
    default: { minBet: 100_000, maxBet: 1_000_000, stepBet: 100_000, defaultBetLevel: 1_000_000, betLevels: [] },
  },
  draws: 'certified',
  hasFrontend: false,
} as const;

/** A fake game server: stores the requests, and sends the responses that a test sets. */
export async function startFakeRgs(secret: string) {
  const requests: RgsRequest[] = [];
  const server = http.createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const { method = '', url: path = '', headers } = req;
    const request: RgsRequest = {
      method,
      path,
      body: text === '' ? undefined : JSON.parse(text),
      text,
      headers,
      operator: headers[OPERATOR_HEADER] as string | undefined,
      issue: signatureIssue(
        { direction: 'to-rgs', method, path, body: text },
        { headers, secrets: [secret], nowSeconds: Math.floor(Date.now() / 1000) },
      ),
    };
    requests.push(request);
    const { status, body } = await rgs.respond(request);
    res.writeHead(status, { 'Content-Type': 'application/json' });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const rgs = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respond: respondWell as (request: RgsRequest) => TestResponse | Promise<TestResponse>,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return rgs;
}

/** Returns the responses of a game server with one game. */
export function respondWell({ path, body }: RgsRequest): TestResponse {
  if (path === '/operator/games')
    return { status: 200, body: { games: [GAME], currencies: [], languages: ['en', 'de'] } };
  if (path === '/operator/free-rounds/grants') {
    const [grant] = body.grants;
    const { rounds: given, bets, endsAt } = body.terms;
    const times = { startsAt: endsAt, expiresAt: endsAt };
    return { status: 200, body: { grants: [{ ...grant, ...times, given, amount: bets[grant.currency] }] } };
  }
  if (path !== '/operator/sessions') return { status: 404, body: { error: 'ERR_VAL', message: 'nothing here' } };
  const { sessionID } = body;
  return { status: 200, body: { sessionID, url: `http://127.0.0.1/game?sessionID=${sessionID}` } };
}

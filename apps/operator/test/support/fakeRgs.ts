import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { OPERATOR_HEADER, signatureIssue } from '@roundhouse/contract';

export type RgsCall = {
  method: string;
  path: string;
  body: any;
  operator: string | undefined;
  /** What is wrong with its signature; undefined when it holds. */
  fault: string | undefined;
};

/** Stands for the game server: writes down what it is called with, and answers what it is told to. */
export type FakeRgs = {
  url: string;
  calls: RgsCall[];
  /** The answer to every later call; a function sees the call. */
  answer: (call: RgsCall) => { status: number; body: unknown } | Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
};

export const GAME = {
  gameID: 'sample',
  version: '1',
  title: 'Sample',
  currencies: ['EUR', 'USD'],
  modes: ['BASE'],
  hasFrontend: false,
} as const;

export async function startFakeRgs(secret: string): Promise<FakeRgs> {
  const server = http.createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const { method = '', url: path = '', headers } = req;
    const call: RgsCall = {
      method,
      path,
      body: text === '' ? undefined : JSON.parse(text),
      operator: headers[OPERATOR_HEADER] as string | undefined,
      fault: await signatureIssue(
        { direction: 'to-rgs', method, path, body: text },
        { headers, secrets: [secret], nowSeconds: Math.floor(Date.now() / 1000) },
      ),
    };
    rgs.calls.push(call);
    const { status, body } = await rgs.answer(call);
    res.writeHead(status, { 'Content-Type': 'application/json' });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rgs: FakeRgs = {
    url,
    calls: [],
    answer: wellBehaved,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return rgs;
}

export function wellBehaved({ path, body }: RgsCall): { status: number; body: unknown } {
  if (path === '/operator/games') return { status: 200, body: { games: [GAME] } };
  if (path === '/operator/sessions') {
    return {
      status: 200,
      body: { sessionID: body.sessionID, url: `http://127.0.0.1/game?sessionID=${body.sessionID}` },
    };
  }
  return { status: 404, body: { error: 'ERR_VAL', message: 'there is nothing at this path' } };
}

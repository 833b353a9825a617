import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = { status: number; json: string };

const KEEP_ALIVE_MS = 60_000;

/** What Node serves at the lowest cost. Returns the URL. */
export async function serveJson<Body>(
  answerTo: (path: string, body: Body) => Answer | Promise<Answer>,
): Promise<string> {
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      text += chunk;
    });
    req.on('end', async () => {
      const { status, json } = await answerTo(req.url ?? '', JSON.parse(text));
      res
        .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) })
        .end(json);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

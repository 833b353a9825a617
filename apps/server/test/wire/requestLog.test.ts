import { expect, test } from 'vitest';
import { useCheckedServer } from '../support/checkedServer.ts';
import { exchangeRaw } from '../support/rawHttp.ts';

const server = useCheckedServer();

/** A sessionID, as a text that nothing else holds. */
const SESSION = 'acme:5e55-1-0-n';

const PATHS = [
  `/operator/sessions/${SESSION}`,
  `//operator/sessions/${SESSION}`,
  `/operator//sessions/${SESSION}`,
  `/operator/sessions//${SESSION}`,
  `/operator/sessions/${SESSION}/`,
  `/operator/sessions/${SESSION}/more`,
  `/OPERATOR/Sessions/${SESSION}`,
  `/operator/session/${SESSION}`,
  `/operator/sessions;${SESSION}`,
  `/operator/sessions/${SESSION}%`,
  `/operator/sessions/%E0%A4%A${SESSION}`,
  `/operator/rounds/${SESSION}`,
  `/operator/rounds/${SESSION}/void`,
  `/${SESSION}`,
  `/sessionID=${SESSION}`,
  `/fixture/1.0.0/index.html?sessionID=${SESSION}`,
  `/fixture/1.0.0/index.html;sessionID=${SESSION}`,
  `/fixture/1.0.0/index.html%3FsessionID=${SESSION}`,
  `/fixture/1.0.0/${SESSION}/index.html`,
  `/fixture/${SESSION}/index.html`,
  `/${SESSION}/1.0.0/index.html`,
  `/wallet/play/${SESSION}`,
  `/wallet/play;sessionID=${SESSION}`,
  `/wallet/play?sessionID=${SESSION}`,
  `/bet/replay/fixture/1.0.0/BASE/${SESSION}`,
  `/bet/replay/${SESSION}/1.0.0/BASE/1`,
  `/bet/replay/%E0%A4%A/${SESSION}/BASE/1`,
  `/docs/${SESSION}`,
  `/healthz/${SESSION}`,
  `http://localhost/operator/sessions/${SESSION}`,
];

test('no line of the log holds the sessionID, wherever it stands in the request line', async () => {
  const before = server.logLines.length;
  for (const [index, path] of PATHS.entries()) {
    for (const method of ['GET', 'DELETE', 'POST']) {
      const head = `Host: localhost\r\nConnection: close\r\nContent-Length: 2\r\nX-Request-Id: shape-${index}\r\n`;
      await exchangeRaw(server.url, `${method} ${path} HTTP/1.1\r\n${head}\r\n{}`);
    }
  }
  const lines = () => server.logLines.slice(before);
  const answered = () => lines().filter((line) => line.includes('"requestId":"shape-'));
  await expect.poll(() => answered().length).toBe(PATHS.length * 3);
  expect(lines().filter((line) => line.includes(SESSION))).toEqual([]);
});

test.each([
  ['POST', '/wallet/play', '/wallet/play'],
  ['GET', '/wallet/play', '/wallet/play'],
  ['DELETE', '/operator/sessions/a-session', '/operator/sessions/*'],
  ['GET', '/fixture/1.0.0/index.html', '/fixture/1.0.0/*'],
  ['GET', '/fixture/1.0.0/none', '/fixture/1.0.0/*'],
  ['GET', '/bet/replay/fixture/1.0.0/BASE/1', '/bet/replay/:game/:version/:mode/:event'],
  ['GET', '/healthz', '/healthz'],
  ['GET', '/docs/', '/docs'],
  ['GET', '/nothing', 'unmatched'],
])('%s %s is logged as %s', async (method, path, route) => {
  const { headers } = await server.send(path, { method });
  const requestId = headers.get('x-request-id');
  const line = () => server.logLines.map((each) => JSON.parse(each)).find((each) => each.requestId === requestId);
  await expect.poll(line).toMatchObject({ method, route, msg: 'request' });
});

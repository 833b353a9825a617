import { EventEmitter, once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'undici';
import type { ErrorPayload } from 'vite';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { call, sessionOf } from '../../support/rgsCalls.ts';
import {
  freePort,
  type Roundhouse,
  spawnRoundhouse,
  temporaryFolder,
  untilPortClosed,
} from '../../support/roundhouse.ts';
import { gameFileOf } from '../../support/writeStudioFolder.ts';

const SERVER = fileURLToPath(new URL('../../..', import.meta.url));
const VITE = path.join(path.dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');

/** Half of the plays win. */
const MATH = `import { publishMath } from '@roundhouse/math';
const WIN = 190;
const books = [0, WIN].map((payoutMultiplier, id) => ({ id, payoutMultiplier, weight: 1, events: [{ index: 0 }] }));
await publishMath('publish_files', [{ name: 'base', cost: 1, books }]);
`;

let project: string;
let env: { DATABASE_URL: string };

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(project, file)), { recursive: true });
  await writeFile(path.join(project, file), text);
}

const edit = async (file: string, from: string, to: string) =>
  write(file, (await readFile(path.join(project, file), 'utf8')).replace(from, to));

beforeAll(async () => {
  env = { DATABASE_URL: (await createTestDatabase()).url };
  project = await temporaryFolder('vite');
  await mkdir(path.join(project, 'node_modules', '@roundhouse'), { recursive: true });
  await symlink(SERVER, path.join(project, 'node_modules', 'roundhouse'));
  const math = path.join(SERVER, 'node_modules', '@roundhouse', 'math');
  await symlink(math, path.join(project, 'node_modules', '@roundhouse', 'math'));
  await write('package.json', '{"type":"module"}');
  await writeConfig('{ math: "math/publish.js" }');
  await write('game.json', JSON.stringify(gameFileOf({ id: 'live' })));
  await write('index.html', '<!doctype html><title>A game</title>');
  await write('math/publish.js', MATH);
});

const writeConfig = (options: string) =>
  write('vite.config.js', `import r from 'roundhouse/vite'; export default { plugins: [r(${options})] };`);

type Vite = Roundhouse & { url: string };

const spawnVite = (variables: NodeJS.ProcessEnv, args: string[] = []) =>
  spawnRoundhouse(args, { env: { ...env, ...variables }, cwd: project, command: VITE });

async function startVite(variables: NodeJS.ProcessEnv = {}): Promise<Vite> {
  const port = await freePort();
  const vite = spawnVite({ PORT: String(port), ...variables });
  const [, url = ''] = await vite.waitFor(/Local: +(http:\S+)\//);
  return { ...vite, url };
}

/** Returns where a browser ends up that opens the page. */
async function open(url: string): Promise<URL> {
  const response = await fetch(url, { headers: { Accept: 'text/html' } });
  expect(await response.text()).toMatch(/src="\/@id\/__x00__roundhouse:page".*A game/s);
  return new URL(response.url);
}

type Message = { type: string; err?: ErrorPayload['err']; event?: string; data?: { isMaking: boolean } };

/** Reads what Vite tells an open page. */
async function openPage({ url }: Vite) {
  const client = await (await fetch(`${url}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? '';
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  const messages: Message[] = [];
  const arrived = new EventEmitter();
  socket.addEventListener('message', ({ data }) => {
    messages.push(JSON.parse(String(data)));
    arrived.emit('more');
  });
  onTestFinished(() => socket.close());
  const askForStatus = () => socket.send(JSON.stringify({ type: 'custom', event: 'roundhouse:status' }));
  /** Returns the next message of the type, with what each message until it was. */
  const next = async (type: string) => {
    for (const seen: string[] = []; ; ) {
      const message = messages.shift();
      if (message === undefined) await once(arrived, 'more');
      else seen.push(message.data ? `making ${message.data.isMaking}` : message.type);
      if (message?.type === type) return { ...message, seen };
    }
  };
  await next('connected');
  return { next, askForStatus };
}

const rgsOf = (launchUrl: URL) => `http://${launchUrl.searchParams.get('rgs_url')}`;

async function winOf(launchUrl: URL): Promise<number> {
  const rgs = rgsOf(launchUrl);
  const sessionID = sessionOf(launchUrl.href);
  await call(rgs, '/wallet/authenticate', { sessionID });
  await call(rgs, '/game/force', { sessionID, mode: 'BASE', bookID: 1 });
  const { round } = await call(rgs, '/wallet/play', { sessionID, mode: 'BASE', amount: 1_000_000 });
  await call(rgs, '/wallet/end-round', { sessionID });
  return round.payout;
}

let vite: Vite;

it('publishes missing math, launches the page, and leads it onto each new version', async () => {
  vite = await startVite();
  const first = await open(`${vite.url}/?debug=1`);
  expect(first.origin).toBe(vite.url);
  expect(Object.fromEntries(first.searchParams)).toMatchObject({ lang: 'en', device: 'desktop', debug: '1' });
  expect(await winOf(first)).toBe(1_900_000);
  expect((await open(first.href)).href).toBe(first.href);
  const script = await fetch(`${vite.url}/@id/__x00__roundhouse:page`);
  expect([script.status, await script.text()]).toEqual([200, expect.stringContaining('Making math…')]);

  const page = await openPage(vite);
  await edit('math/publish.js', 'WIN = 190', 'WIN = 180');
  await page.next('full-reload');
  await vite.waitFor(
    /^live: live, version 1\.0\.0-\w+, served after .*\n {2}RTP {5}BASE 90\.000 % \(was 95\.000 %\)$/m,
  );
  const reloaded = await open(first.href);
  expect(sessionOf(reloaded.href)).not.toBe(sessionOf(first.href));
  expect(reloaded.searchParams.get('debug')).toBe('1');
  expect(await winOf(reloaded)).toBe(1_800_000);
  expect(await winOf(first)).toBe(1_900_000);
});

it('shows errors of the script and of the verification on the page until they are gone', async () => {
  const launched = await open(vite.url);
  const page = await openPage(vite);
  await edit('math/publish.js', 'const WIN = 180', 'const WIN = reels');
  expect((await page.next('error')).err).toEqual({
    plugin: 'roundhouse',
    message: 'math/publish.js failed.\nReferenceError: reels is not defined',
    loc: { file: path.join(project, 'math/publish.js'), line: 2, column: 13 },
    frame: expect.stringContaining('\n2  |  const WIN = reels;\n   |              ^\n'),
    stack: expect.stringMatching(/^ +at .*publish\.js:2:13\)?$/),
  });
  await vite.waitFor(/ReferenceError: reels is not defined/);
  // A page that is opened now gets it too, and asks whether math is being made.
  const opened = await openPage(vite);
  expect((await opened.next('error')).err?.message).toContain('reels is not defined');
  opened.askForStatus();
  expect((await opened.next('custom')).seen).toEqual(['making false']);
  expect((await open(launched.href)).href).toBe(launched.href);

  // The overlay goes when the repair is saved, and the page says what it waits for.
  await edit('math/publish.js', 'const WIN = reels', 'const WIN = 170');
  const { seen } = await page.next('full-reload');
  expect(seen).toEqual(['update', 'making true', 'making false', 'full-reload']);

  // The page follows another id of the game.
  const gameFile = JSON.stringify(gameFileOf({ id: 'live-2' }));
  await write('game.json', gameFile);
  await page.next('full-reload');
  await write('game.json', gameFile.replace('"stepBet":1000000', '"stepBet":1'));
  expect((await page.next('error')).err?.message).toMatch(/game\.json: bet limits for default: /);
  await write('game.json', gameFile);
  await page.next('full-reload');
  const relaunched = await open(launched.href);
  expect(await winOf(relaunched)).toBe(1_700_000);
  const sessionID = sessionOf(relaunched.href);
  const { config } = await call(rgsOf(relaunched), '/wallet/authenticate', { sessionID });
  expect(config.gameID).toBe('live-2');

  // Nothing reports to the RGS that Vite is gone.
  vite.kill('SIGKILL');
  await vite.exited;
  await untilPortClosed(rgsOf(launched));
});

it('says what to do when the RGS does not start, and starts it when the cause is gone', async () => {
  const holder = net.createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as net.AddressInfo;
  await writeConfig(`{ math: 'node math/publish.js' }`);
  vite = await startVite({ RGS_PORT: String(port) });
  await vite.waitFor(/roundhouse dev has ended; /);
  expect((await open(vite.url)).search).toBe('');
  const message = (await (await openPage(vite)).next('error')).err?.message;
  expect(message).toContain(`Port ${port} on 127.0.0.1 is in use. Choose another with RGS_PORT.`);

  const page = await openPage(vite);
  holder.close();
  await once(holder, 'close');
  await edit('math/publish.js', 'const WIN = 170', 'const WIN = 160');
  await page.next('full-reload');
  const launched = await open(vite.url);
  expect(await winOf(launched)).toBe(1_600_000);
  vite.kill('SIGTERM');
  await vite.exited;
  await untilPortClosed(rgsOf(launched));
});

it('two at once have their own ports and data folders; a port that is given must be free', async () => {
  const [first, second] = await Promise.all([startVite(), startVite()]);
  const launched = await Promise.all([first, second].map(({ url }) => open(url)));
  const pairs = launched.map((page) => [Number(page.port), Number(new URL(rgsOf(page)).port)]);
  for (const [page = 0, rgs] of pairs) expect(rgs).toBeGreaterThan(page);
  expect(new Set(pairs.flat()).size).toBe(4);
  const folders = [first, second].map((vite) => /data folder (\S+)/.exec(vite.output())?.[1]);
  expect(new Set(folders).size).toBe(2);
  for (const folder of folders) expect(folder).toMatch(/^\.roundhouse(-\d+)?$/);

  const { port } = new URL(first.url);
  const refused = await Promise.all(
    [spawnVite({ PORT: port }), spawnVite({ PORT: '1' }, ['--port', port])].map(({ exited }) => exited),
  );
  for (const { code, stderr } of refused) {
    expect(stderr).toContain(`Port ${port} is already in use`);
    expect(code).toBe(1);
  }
  first.pressCtrlC();
  await first.exited;
  await untilPortClosed(rgsOf(launched[0] as URL));
});

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { writeFixtureGame } from '../../support/fixtureGame.ts';
import { sendRaw } from '../../support/rawHttp.ts';
import { type GameNode, serveGames, useTestServer } from '../../support/testServer.ts';

const SECRET = 'what is not of the game';

const server = useTestServer();
let root: string;
let frontend: string;
let node: GameNode;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-frontends-'));
  await writeFile(path.join(root, 'secret.txt'), SECRET);
  await mkdir(path.join(root, 'elsewhere'));
  await writeFile(path.join(root, 'elsewhere', 'index.html'), SECRET);
  const game = await writeFixtureGame({ id: 'drawn' });
  frontend = path.join(game.folder, 'frontend');
  await mkdir(path.join(frontend, 'sub folder'), { recursive: true });
  await writeFile(path.join(frontend, 'index.html'), '<h1>Game</h1>');
  await writeFile(path.join(frontend, 'sub folder', 'index.html'), '<h1>Sub</h1>');
  // Studios publish by moving a link, so the game is reached through one.
  const current = path.join(root, 'current');
  await symlink(game.folder, current);
  // In production only games with a front end have a page.
  node = await serveGames(server, [{ ...game, folder: current }], { local: false });
  return () => rm(root, { recursive: true });
});

const get = (pathname: string, headers = {}) => sendRaw(node.url, 'GET', pathname, { headers });

it.each([
  ['/drawn/1.0.0/', '<h1>Game</h1>'],
  ['/drawn/1.0.0/index.html', '<h1>Game</h1>'],
  ['/drawn/1.0.0/sub%20folder/', '<h1>Sub</h1>'],
])('GET %s is a file of the front end', async (pathname, text) => {
  expect(await get(pathname)).toMatchObject({ status: 200, text });
});

it('a symbolic link that is added to a served front end is 404', async () => {
  await symlink(path.join(root, 'secret.txt'), path.join(frontend, 'link.txt'));
  await symlink(path.join(root, 'elsewhere'), path.join(frontend, 'linked'));
  await mkdir(path.join(frontend, 'inner'));
  await symlink(path.join(root, 'secret.txt'), path.join(frontend, 'inner', 'index.html'));
  const paths = ['link.txt', '%6cink.txt', 'linked/', 'linked/index.html', 'inner/', 'inner/index.html', './link.txt'];
  for (const each of paths) {
    const { status, text } = await get(`/drawn/1.0.0/${each}`);
    expect({ each, status, isSecret: text.includes(SECRET) }).toEqual({ each, status: 404, isSecret: false });
  }
});

it.each([
  ...['/drawn/1.0.0/index.html', '/drawn/1.0.0/none', '/docs/api', '/docs/api/', '/docs/page.js', '/openapi.json'],
  ...['/healthz', '/metrics', '/nothing/here', '/operator/games', '/wallet/play', '/game/faults'],
  '/fairness/verifier',
])('%s has X-Content-Type-Options: nosniff', async (pathname) => {
  expect((await get(pathname)).headers.get('x-content-type-options')).toBe('nosniff');
});

it.each(['/drawn/1.0.0/index.html', '/docs/swagger-ui.css'])(
  'a part or a version of %s that there is not is refused in the usual shape',
  async (pathname) => {
    const part = await get(pathname, { Range: 'bytes=99999999-' });
    expect(part).toMatchObject({ status: 416, body: { error: 'ERR_VAL' } });
    expect(part.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
    const version = await get(pathname, { 'If-Match': '"another"' });
    expect(version).toMatchObject({ status: 412, body: { error: 'ERR_VAL' } });
    for (const { text } of [part, version]) expect(text).not.toMatch(/Error|node_modules|<pre>/);
  },
);

it('the verifier is there, although this server has no paths for local work', async () => {
  const { status, text } = await get('/fairness/verifier');
  expect(status).toBe(200);
  expect(text).toContain('<title>Check a fair round</title>');
});

it('a path that is not of the front end is 404, and so is one for local work', async () => {
  const encoded = ['%', '%00', '%E0%A4%A', '..%2f..%2fgame.json', '../game.json', '%2e%2e/game.json'];
  const whole = ['/launch', '/drawn/2.0.0/index.html', '/drawn/index.html'];
  for (const each of [...whole, ...encoded.map((end) => `/drawn/1.0.0/${end}`)]) {
    const { status, body } = await get(each);
    expect({ each, status, error: body?.error }).toEqual({ each, status: 404, error: 'ERR_VAL' });
  }
  expect((await get('/drawn/1.0.0')).status).not.toBe(200);
});

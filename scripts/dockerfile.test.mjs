// No container engine is needed: the steps of the Dockerfile are performed here, in folders that stand for the images' file systems.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTemporaryPostgres } from '../packages/dev-postgres/dist/index.js';
import { root } from './bootstrap.mjs';
import { readIgnoreFile } from './container/buildContext.mjs';
import { nodeFolderFor, runIn, startIn, unprivilegedUser } from './container/containerProcess.mjs';
import { bytesOf, developmentPackagesIn } from './container/installedTree.mjs';
import { parseDockerfile, stagesOf } from './container/parseDockerfile.mjs';
import { onHost, performStages } from './container/performStages.mjs';
import { cacheOfOneTask } from './container/turboCache.mjs';

/** What cannot be performed here, each with the reason. A step that is neither performed nor named here fails the test. */
const NOT_PERFORMED = new Map([
  ['FROM node:22-slim AS base', 'there is no image here: the Node that runs this test takes its place'],
  ['RUN --mount=type=cache,target=/root/.local/share/pnpm/store', 'pnpm has its store on this machine already'],
  ['EXPOSE 4000', 'it opens nothing: it tells people which port the process listens on'],
  ['EXPOSE 4001', 'as above'],
]);

/** Differs from the image: a port that is free, and no longer a pause than the test needs. */
const SERVER_ENV = {
  ROUNDHOUSE_LISTEN_HOST: '127.0.0.1',
  ROUNDHOUSE_LISTEN_PORT: '0',
  ROUNDHOUSE_DRAIN_SECONDS: '1',
};
const OPERATOR_ENV = {
  ROUNDHOUSE_OPERATOR_LISTEN_HOST: '127.0.0.1',
  ROUNDHOUSE_OPERATOR_LISTEN_PORT: '0',
  ROUNDHOUSE_OPERATOR_RGS_URL: 'http://127.0.0.1:9',
  ROUNDHOUSE_OPERATOR_SECRET: 'a-secret-for-this-test-only',
};
const MAX_SERVER_BYTES = 56_000_000;
const MAX_OPERATOR_BYTES = 26_000_000;

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const stages = parseDockerfile(readFileSync(path.join(root, 'Dockerfile'), 'utf8'));
const performed = [];
const images = new Map();
let workFolder;
let user;
let nodeFolder;
let postgres;

beforeAll(async () => {
  workFolder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-images-'));
  // The unprivileged user has to pass.
  chmodSync(workFolder, 0o755);
  user = await unprivilegedUser();
  nodeFolder = await nodeFolderFor(user, workFolder);
  // The demo slot's books take most of a minute to make and have tests of their own. All else is built here.
  const cache = { root, folder: path.join(workFolder, 'turbo-cache') };
  cacheOfOneTask({ ...cache, workspace: '@roundhouse/demo-slot', task: 'build:math' });
  postgres = await startTemporaryPostgres();
});

afterAll(async () => {
  await postgres?.stop();
  rmSync(workFolder, { recursive: true, force: true });
});

/** What a RUN sees: of this machine's programs the system's, Node and npm; `npm install --global` goes to a folder of the test. */
function runEnvironment() {
  const foreign =
    /^(ROUNDHOUSE_|(TEST_)?DATABASE_URL$|PG|NODE_(ENV|OPTIONS|PATH)$|VITEST|TEST$|TURBO_|PNPM_|INIT_CWD$|npm_(package|lifecycle|command|execpath|node_execpath|config_(local_|global_)?prefix))/i;
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const globals = path.join(workFolder, 'globals');
  const searchPath = [path.join(globals, 'bin'), path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];
  return {
    ...Object.fromEntries(inherited),
    PATH: searchPath.join(':'),
    npm_config_prefix: globals,
    TURBO_CACHE_DIR: path.join(workFolder, 'turbo-cache'),
  };
}

function build(target) {
  const todo = stagesOf(stages, target).filter(({ name }) => !images.has(name));
  const options = { context: root, workFolder, owner: user, excused: NOT_PERFORMED };
  return performStages(todo, { ...options, images, performed, runEnv: runEnvironment });
}

const asUser = (env) => ({ user, nodeFolder, env });

describe('the image of the server', () => {
  let image;
  let env;

  beforeAll(async () => {
    image = await build('server');
    env = { ...SERVER_ENV, DATABASE_URL: postgres.url };
  });

  test('migrates a new database, serves the game as an unprivileged user, is healthy, and ends well', async () => {
    const { entrypoint, cmd, healthcheck } = image;
    expect([image.user, cmd]).toEqual(['node', ['serve']]);
    const migrated = await runIn(image, [...entrypoint, 'migrate'], asUser(env));
    expect(migrated).toMatchObject({ code: 0, output: expect.stringMatching(/^applied /) });

    const until = /"url":"([^"]+)".*"msg":"serving"/;
    const server = await startIn(image, [...entrypoint, ...cmd], { ...asUser(env), until });
    const [, url] = server.match;
    if (user !== undefined && existsSync('/proc')) expect(statSync(`/proc/${server.pid}`).uid).toBe(user.uid);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/aurora-line/1.0.0/index.html`)).status).toBe(200);
    const body = JSON.stringify({ sessionID: 'nobody-knows-it' });
    const refused = await fetch(`${url}/wallet/authenticate`, { method: 'POST', body });
    expect([refused.status, (await refused.json()).error]).toEqual([400, 'ERR_IS']);

    const checked = { ...env, ROUNDHOUSE_LISTEN_PORT: new URL(url).port };
    expect(await runIn(image, healthcheck, asUser(checked))).toMatchObject({ code: 0 });
    server.kill('SIGTERM');
    expect(await server.exited).toMatchObject({ code: 0, signal: null });
    expect(await runIn(image, healthcheck, asUser(checked))).toMatchObject({ code: 1 });
  });

  test('holds what production needs and nothing else', () => {
    const app = onHost(image, '.');
    expect(readdirSync(app).sort()).toEqual(['bin', 'dist', 'node_modules', 'package.json', 'prisma']);
    expect(readdirSync(onHost(image, '/games/aurora-line')).sort()).toEqual(['frontend', 'game.json', 'math']);
    expect(developmentPackagesIn(app, 'apps/server')).toEqual([]);
    expect(bytesOf(app)).toBeLessThan(MAX_SERVER_BYTES);
  });
});

describe('the image of the reference operator', () => {
  let image;
  let env;

  beforeAll(async () => {
    image = await build('operator');
    env = { ...OPERATOR_ENV, DATABASE_URL: postgres.url };
  });

  test('makes its schema, shows the lobby, is healthy, and ends well', async () => {
    const { entrypoint, cmd, healthcheck } = image;
    expect([image.user, cmd]).toEqual(['node', []]);
    const until = /^Operator: (\S+)$/m;
    const operator = await startIn(image, [...entrypoint, ...cmd], { ...asUser(env), until });
    const [, url] = operator.match;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(url)).status).toBe(200);
    const checked = { ...env, ROUNDHOUSE_OPERATOR_LISTEN_PORT: new URL(url).port };
    expect(await runIn(image, healthcheck, asUser(checked))).toMatchObject({ code: 0 });
    operator.kill('SIGTERM');
    expect(await operator.exited).toMatchObject({ code: 0, signal: null });
  });

  test('holds what production needs and nothing else', () => {
    const app = onHost(image, '.');
    expect(readdirSync(app).sort()).toEqual(['bin', 'dist', 'node_modules', 'package.json', 'prisma']);
    expect(developmentPackagesIn(app, 'apps/operator')).toEqual([]);
    expect(bytesOf(app)).toBeLessThan(MAX_OPERATOR_BYTES);
  });
});

test('the steps that were performed and those that are listed are all that the Dockerfile has', () => {
  const lists = { performed: [...performed].sort(), listed: [...NOT_PERFORMED.keys()] };
  const steps = stages.flatMap((stage) => stage.steps.map(({ text }) => text));
  const listedSteps = lists.listed.filter((text) => steps.includes(text));
  expect([...lists.performed, ...listedSteps].sort()).toEqual([...steps].sort());
  // What is listed is still there to be excused.
  const isPresent = (text) => steps.some((step) => step === text || step.startsWith(`${text} `));
  expect(lists.listed.filter((text) => !isPresent(text))).toEqual([]);
});

test('neither secrets nor what a checkout has made are handed to the build', () => {
  const isIgnored = readIgnoreFile(path.join(root, '.dockerignore'));
  const leftOut = [
    '.env',
    '.env.local',
    '.git',
    'node_modules',
    'apps/server/dist',
    'apps/server/src/ledger/generated',
  ];
  expect(leftOut.filter((file) => !isIgnored(file))).toEqual([]);
  const handedOver = ['.env.example', 'package.json', 'pnpm-lock.yaml', 'apps/server/src/main.ts', 'apps/server/bin'];
  expect(handedOver.filter(isIgnored)).toEqual([]);
});

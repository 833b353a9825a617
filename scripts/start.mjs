// `npm start` installs and builds what is needed, then runs the server (`roundhouse dev` with the
// arguments given after `--`) and, beside it, the reference operator. At the first start the lobby
// opens with the slot, and the rest is built meanwhile.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, exitCodeOf, fail, install, requireNode, root, run } from './bootstrap.mjs';
import { startJoined } from './joined.mjs';
import { describeParts, partsLine } from './progress.mjs';

/** The lobby and a spin of the slot need these packages, and those that they need. */
const FIRST = [
  'contract',
  'fair',
  'math',
  'service',
  'fault-injection',
  'dev-postgres',
  'wallet-check',
  'aggregators',
  'dialects',
  'fleet',
]
  .concat('sdk', 'operator', 'demo-slot')
  .map((name) => `@roundhouse/${name}`)
  .concat('roundhouse');
const FIRST_PAGES = ['demo-slot', 'swagger', 'evidence', 'brand'];
/** A machine on which FIRST takes this time takes `seconds` for each of the others. */
const FIRST_SECONDS = 20;

/** The order is that in which they are built. Each is there when all of its `files` are. */
const LATER = [
  {
    title: 'Coral Cascade',
    game: 'games/clusters/dist',
    packages: ['create-roundhouse-game', '@roundhouse/clusters-game'],
    files: ['games/clusters/dist/game.json'],
    seconds: 8,
  },
  {
    title: 'Sample Lines',
    game: 'games/sample/dist',
    packages: ['@roundhouse/sample-game', '@roundhouse/player'],
    pages: ['player'],
    files: ['games/sample/dist/game.json', 'apps/server/pages/player/index.html'],
    seconds: 5,
  },
  { title: 'Console', page: 'console', packages: ['@roundhouse/console'], seconds: 10 },
  { title: 'Verifier', page: 'verifier', packages: ['@roundhouse/verifier'], seconds: 3 },
  { title: 'Documents', page: 'docs', packages: ['@roundhouse/docs'], seconds: 25 },
].map(({ page, files = [`apps/server/pages/${page}/index.html`], ...part }) => {
  return { pages: page === undefined ? [] : [page], ...part, page, files };
});

const isAllBooks = process.argv.includes('--all-books');
const args = process.argv.slice(2).filter((each) => each !== '--all-books');
const SLOT = isAllBooks ? 'apps/demo-slot/dist' : 'apps/server/pages/demo-slot';

requireNode();
const environment = install();
const [ready, missing] = partsOfCheckout();
const startedMs = Date.now();
await buildFirst();
const firstSeconds = (Date.now() - startedMs) / 1000;

// package.json says `exec node …`: a shell between npm and us would die of npm's SIGTERM and leave
// us running. The environment drops pnpm's additions and ours: the server must see only what the
// user has set.
const games = [SLOT, ...ready.flatMap(({ game }) => game ?? [])].map((folder) => path.join(root, folder));
const words = ['--default-games', games.join(path.delimiter), ...args];
const { server, ended, tell } = startJoined(words, {
  stdio: 'inherit',
  cwd: process.env.INIT_CWD || process.cwd(),
  env: process.env,
});
const stopBuilding = new AbortController();
let building = Promise.resolve();
server.on('message', ({ serving }) => {
  if (serving) building = buildRest();
});

// A Ctrl-C reaches the server from the terminal, and us twice: from the terminal and from npm. A
// signal to npm alone reaches only us. So we hand the first one on and drop what follows within a
// second; the server counts in the same way.
let lastMs = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    const repeated = Date.now() - lastMs < 1000;
    lastMs = Date.now();
    if (repeated) return;
    stopBuilding.abort();
    server.kill(signal);
  });
}
server.once('exit', () => stopBuilding.abort());

const [code, signal] = await ended.catch((error) => fail(error.message));
await building;
process.exit(exitCodeOf(code, signal));

/**
 * Parts that were built before are built anew before the start when they have changed. Missing
 * parts wait, unless the user names games, which may be among them.
 */
function partsOfCheckout() {
  const isThere = ({ files }) => files.every((file) => existsSync(path.join(root, file)));
  if (namesGames()) return [LATER, []];
  return [LATER.filter(isThere), LATER.filter((part) => !isThere(part))];
}

function namesGames() {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }];
  const others = { port: text, host: text, data: text, 'console-port': text, fresh: flag, https: flag };
  try {
    parseArgs({ args, options: others });
    return false;
  } catch {
    return true;
  }
}

async function buildFirst() {
  const tasks = ['build', 'build:small', ...(isAllBooks ? ['build:math'] : [])];
  const isWhole = missing.length === 0;
  const packages = [...FIRST, ...ready.flatMap(({ packages }) => packages)];
  const code = await (isWhole
    ? build(environment, { tasks: [...tasks, 'build:pages'] })
    : build(environment, { tasks, packages }));
  if (code !== 0) fail('The build failed: see above');
  if (!isWhole) await copyPages([...FIRST_PAGES, ...ready.flatMap(({ pages }) => pages)]);
}

/** Builds what is missing, a part after the other, and tells server and lobby. A part may fail. */
async function buildRest() {
  const abort = stopBuilding.signal;
  const pace = Math.max(0.5, firstSeconds / FIRST_SECONDS);
  const parts = [...missing];
  for (const part of missing) {
    const partMs = Date.now();
    const tellWhatIsLeft = () => {
      const now = describeParts(parts, { elapsedSeconds: (Date.now() - partMs) / 1000, pace });
      const beingBuilt = now.map(({ title, text, page }) => ({ title, text, page }));
      tell({ beingBuilt });
      return now;
    };
    tellWhatIsLeft();
    const timer = setInterval(tellWhatIsLeft, 1000);
    const line = () => partsLine(tellWhatIsLeft());
    const isBuilt =
      (await build(environment, { packages: part.packages, tasks: ['build'], abort, line })) === 0 &&
      (await copyPages(part.pages, abort)) === 0 &&
      (part.game === undefined || (await serveGame(path.join(root, part.game))));
    clearInterval(timer);
    if (abort.aborted) return;
    if (isBuilt) parts.splice(parts.indexOf(part), 1);
    else part.isFailed = true;
    console.error(`${part.title}: ${isBuilt ? 'is built' : 'could not be built, see above'}`);
    tellWhatIsLeft();
  }
}

function copyPages(names, abort) {
  if (names.length === 0) return 0;
  return run(process.execPath, ['apps/server/scripts/copy-pages.mjs', ...names], environment, { abort });
}

/** Resolves to whether players can open the game. */
function serveGame(builtGame) {
  return new Promise((resolve) => {
    server.on('message', ({ servedGame, refusedGame }) => {
      if (servedGame === builtGame) resolve(true);
      if (refusedGame === builtGame) resolve(false);
    });
    server.once('exit', () => resolve(false));
    if (server.connected) server.send({ builtGame });
  });
}

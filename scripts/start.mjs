// `npm start` installs and builds what is needed, then runs the server (`roundhouse dev` with the
// arguments given after `--`) and, beside it, the reference operator.
import path from 'node:path';
import { build, exitCodeOf, fail, install, requireNode, root } from './bootstrap.mjs';
import { startJoined } from './joined.mjs';

/** These are the default. The slot has all of its books; the server's package has some. */
const GAMES = ['apps/demo-slot', 'games/clusters', 'games/sample'].map((folder) => path.join(root, folder, 'dist'));

requireNode();
const environment = install();
if ((await build(environment)) !== 0) fail('The build failed: see above');

// package.json says `exec node …`: a shell between npm and us would die of npm's SIGTERM and leave
// us running. The environment drops pnpm's additions and ours: the server must see only what the
// user has set.
const words = ['--default-games', GAMES.join(path.delimiter), ...process.argv.slice(2)];
const { server, ended } = startJoined(words, {
  stdio: 'inherit',
  cwd: process.env.INIT_CWD || process.cwd(),
  env: process.env,
});

// A Ctrl-C reaches the server from the terminal, and us twice: from the terminal and from npm. A
// signal to npm alone reaches only us. So we hand the first one on and drop what follows within a
// second; the server counts in the same way.
let lastMs = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    const repeated = Date.now() - lastMs < 1000;
    lastMs = Date.now();
    if (!repeated) server.kill(signal);
  });
}

const [code, signal] = await ended.catch((error) => fail(error.message));
process.exit(exitCodeOf(code, signal));

// `npm start`: installs and builds what is needed, then runs the server (`roundhouse dev` with the
// arguments given after `--`) and, beside it, the reference operator, joined by the real protocol.
import { fork } from 'node:child_process';
import path from 'node:path';
import { build, exitCodeOf, fail, install, requireNode, root } from './bootstrap.mjs';

const OPERATOR_CODE = 'lobby';
/** Served when no folder is named. The slot has all of its books; in the package of the server it has some. */
const GAMES = ['apps/demo-slot', 'games/clusters', 'games/sample'].map((folder) => path.join(root, folder, 'dist'));

requireNode();
const environment = install();
if ((await build(environment)) !== 0) fail('The build failed: see above');

// package.json says `exec node …`: a shell between npm and us would die of npm's SIGTERM and leave
// us running. Without pnpm's and our own additions: the server shall see what the user has set and
// nothing else.
const server = fork(
  path.join(root, 'apps/server/bin/roundhouse.js'),
  ['dev', '--join-operator', OPERATOR_CODE, '--default-games', GAMES.join(path.delimiter), ...process.argv.slice(2)],
  { stdio: 'inherit', cwd: process.env.INIT_CWD || process.cwd() },
);
let operator;

server.once('message', ({ url, databaseUrl, secret }) => {
  operator = startOperator({ url, databaseUrl, secret });
  operator.once('message', (ready) => server.send({ operatorUrl: ready.url }));
  operator.once('error', (error) => console.error(error.message));
  operator.once('exit', () => {
    operator = undefined;
    // Of itself: one without the other is not what was asked for.
    if (server.connected) server.send({}, () => server.kill('SIGTERM'));
  });
});

/**
 * On the port after the server's. In a group of its own: it stops after the server, whose last
 * requests may need it.
 */
function startOperator({ url, databaseUrl, secret }) {
  const port = isAnyPort() ? 0 : Number(new URL(url).port) + 1;
  return fork(path.join(root, 'apps/operator/bin/operator.js'), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      ROUNDHOUSE_OPERATOR_CODE: OPERATOR_CODE,
      ROUNDHOUSE_OPERATOR_SECRET: secret,
      ROUNDHOUSE_OPERATOR_RGS_URL: url,
      ROUNDHOUSE_OPERATOR_LISTEN_PORT: String(port),
      ROUNDHOUSE_OPERATOR_BENCH: '1',
    },
  });
}

/** Whoever lets the system choose the server's port wants both to be free ones. */
function isAnyPort() {
  const place = process.argv.indexOf('--port');
  const asked = place < 0 ? process.argv.find((each) => each.startsWith('--port='))?.slice(7) : process.argv[place + 1];
  return Number(asked ?? (process.env.ROUNDHOUSE_LISTEN_PORT || 1)) === 0;
}

// A Ctrl-C reaches the server from the terminal, and us twice: from the terminal and from npm. A
// signal to npm alone reaches only us. So the first one is handed on and what follows within a
// second is not; the server counts in the same way.
let lastMs = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    const repeated = Date.now() - lastMs < 1000;
    lastMs = Date.now();
    if (!repeated) server.kill(signal);
  });
}

server.once('error', (error) => fail(error.message));
server.once('exit', (code, signal) => {
  const end = () => process.exit(exitCodeOf(code, signal));
  if (operator === undefined) end();
  else operator.removeAllListeners('exit').once('exit', end).kill('SIGTERM');
});

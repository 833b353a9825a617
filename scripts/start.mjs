// `npm start` installs and builds what is needed, then runs the server (`roundhouse dev` with the
// arguments given after `--`) and, beside it, the reference operator, joined by the real protocol.
import { fork } from 'node:child_process';
import path from 'node:path';
import { build, exitCodeOf, fail, install, requireNode, root } from './bootstrap.mjs';

const OPERATOR_CODE = 'lobby';
/** These are the default. The slot has all of its books; the server's package has some. */
const GAMES = ['apps/demo-slot', 'games/clusters', 'games/sample'].map((folder) => path.join(root, folder, 'dist'));

requireNode();
const environment = install();
if ((await build(environment)) !== 0) fail('The build failed: see above');

// package.json says `exec node …`: a shell between npm and us would die of npm's SIGTERM and leave
// us running. The environment drops pnpm's additions and ours: the server must see only what the
// user has set.
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
    // The operator has ended by itself, and one without the other is not what the user asked for.
    if (server.connected) server.send({}, () => server.kill('SIGTERM'));
  });
});

/**
 * The operator gets the port after the server's. It has a group of its own: it stops after the
 * server, whose last requests may need it.
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

/** When the system chooses the server's port, the operator's port must be a free one, too. */
function isAnyPort() {
  const place = process.argv.indexOf('--port');
  const asked = place < 0 ? process.argv.find((each) => each.startsWith('--port='))?.slice(7) : process.argv[place + 1];
  return Number(asked ?? (process.env.ROUNDHOUSE_LISTEN_PORT || 1)) === 0;
}

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

server.once('error', (error) => fail(error.message));
server.once('exit', (code, signal) => {
  const end = () => process.exit(exitCodeOf(code, signal));
  if (operator === undefined) end();
  else operator.removeAllListeners('exit').once('exit', end).kill('SIGTERM');
});

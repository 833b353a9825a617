// `npm start`: installs and builds what is needed, then runs `roundhouse dev` with the arguments given after `--`.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { build, exitCodeOf, fail, install, requireNode, root } from './bootstrap.mjs';

requireNode();
const environment = install();
if ((await build(environment)) !== 0) fail('The build failed: see above');

// package.json says `exec node …`: a shell between npm and us would die of npm's SIGTERM and leave us running.
// Without pnpm's and our own additions: the server shall see what the user has set and nothing else.
const server = spawn(
  process.execPath,
  [path.join(root, 'apps/server/bin/roundhouse.js'), 'dev', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    cwd: process.env.INIT_CWD || process.cwd(),
  },
);

// A Ctrl-C reaches the server from the terminal, and us twice: from the terminal and from npm. A signal to npm alone reaches
// only us. So the first one is handed on and what follows within a second is not; the server counts in the same way.
let lastMs = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    const repeated = Date.now() - lastMs < 1000;
    lastMs = Date.now();
    if (!repeated) server.kill(signal);
  });
}

server.once('error', (error) => fail(error.message));
server.once('exit', (code, signal) => process.exit(exitCodeOf(code, signal)));

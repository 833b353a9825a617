// Starts the server and, beside it, the reference operator, joined by the real protocol.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const APPS = fileURLToPath(new URL('../apps', import.meta.url));
const OPERATOR_CODE = 'lobby';

/**
 * Runs `roundhouse dev` with these words. `options` are those of `fork`. `ended` resolves with the
 * exit code and the signal of the server when both have ended. Stopping the server stops both.
 * `tell` sends a message to each of them that runs.
 */
export function startJoined(words, options) {
  const bin = path.join(APPS, 'server/bin/roundhouse.js');
  const server = fork(bin, ['dev', '--join-operator', OPERATOR_CODE, ...words], options);
  let operator;
  server.once('message', ({ url, databaseUrl, secret }) => {
    // The operator gets the port after the server's, or a free one when the system chooses.
    const port = isAnyPort(words, options.env) ? 0 : Number(new URL(url).port) + 1;
    operator = fork(path.join(APPS, 'operator/bin/operator.js'), [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // It has a separate process group: it stops after the server, whose last requests may need
      // it.
      detached: true,
      env: {
        ...options.env,
        DATABASE_URL: databaseUrl,
        ROUNDHOUSE_OPERATOR_CODE: OPERATOR_CODE,
        ROUNDHOUSE_OPERATOR_SECRET: secret,
        ROUNDHOUSE_OPERATOR_RGS_URL: url,
        ROUNDHOUSE_OPERATOR_LISTEN_PORT: String(port),
        ROUNDHOUSE_OPERATOR_BENCH: '1',
      },
    });
    operator.once('message', (ready) => server.send({ operatorUrl: ready.url }));
    operator.once('error', (error) => console.error(error.message));
    operator.once('exit', () => {
      operator = undefined;
      // The operator has ended, and the server alone is not what the user started.
      if (server.connected) server.send({}, () => server.kill('SIGTERM'));
    });
  });
  const ended = once(server, 'exit').then(async (end) => {
    if (operator !== undefined) {
      operator.kill('SIGTERM');
      await once(operator, 'exit');
    }
    return end;
  });
  const tell = (message) => {
    for (const child of [server, operator]) if (child?.connected) child.send(message);
  };
  return { server, ended, tell };
}

function isAnyPort(words, env) {
  const place = words.indexOf('--port');
  const asked = place < 0 ? words.find((each) => each.startsWith('--port='))?.slice(7) : words[place + 1];
  return Number(asked ?? (env.ROUNDHOUSE_LISTEN_PORT || 1)) === 0;
}

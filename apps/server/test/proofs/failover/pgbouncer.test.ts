import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { expectOneLine, freePort, runRoundhouse, temporaryFolder } from '../../support/roundhouse.ts';

const PGBOUNCER = 'pgbouncer';
const version = spawn(PGBOUNCER, ['--version'], { stdio: 'ignore' });
const isInstalled = await once(version, 'exit').then(
  ([code]) => code === 0,
  () => false,
);

describe.runIf(isInstalled)('PgBouncer before the database', () => {
  it.each([
    ['as it is installed', ''],
    [
      'with the settings of connections ignored',
      'ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    ],
  ])('%s: serve refuses to start', async (_, setting) => {
    const database = await createTestDatabase();
    const { hostname, port, username, password, pathname } = new URL(database.url);
    const folder = await temporaryFolder('pgbouncer');
    await chmod(folder, 0o755);
    const listenPort = await freePort();
    const file = path.join(folder, 'pgbouncer.ini');
    await writeFile(
      file,
      `[databases]
* = host=${hostname} port=${port || 5432} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
${setting}
`,
    );
    const isRoot = process.getuid?.() === 0;
    const bouncer = spawn(PGBOUNCER, [...(isRoot ? ['-u', 'postgres'] : []), file], { stdio: 'ignore' });
    try {
      const url = `postgresql://${username}:${password}@127.0.0.1:${listenPort}${pathname}`;
      await expect
        .poll(async () => {
          const socket = net.connect(listenPort, '127.0.0.1');
          const outcome = await once(socket, 'connect').catch(() => 'refused');
          socket.destroy();
          return outcome;
        })
        .toEqual([]);
      const exit = await runRoundhouse(['serve', '--games', folder], { env: { DATABASE_URL: url } });
      expectOneLine(
        exit,
        /^A connection pooler such as PgBouncer stands before the database\. .*PostgreSQL itself\.$/m,
      );
    } finally {
      bouncer.kill('SIGKILL');
      await database.drop();
    }
  });
});

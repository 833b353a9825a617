import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { openClient } from '@roundhouse/service';

/** These belong to the running original. The standby streams all of the write-ahead log. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'pg_wal'];

/**
 * Copies the files of a running PostgreSQL into a folder, for a standby of it. The embedded
 * binaries have no pg_basebackup.
 */
export async function copyCluster(primary: { adminUrl: string; folder: string }, folder: string): Promise<void> {
  const client = await openClient(primary.adminUrl);
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    // Files come and go meanwhile, which is an error to cp and none to PostgreSQL.
    await promisify(execFile)('cp', ['-a', primary.folder, folder]).catch(() => {});
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
    for (const name of NOT_COPIED) await rm(path.join(folder, name), { recursive: true, force: true });
    await mkdir(path.join(folder, 'pg_wal'), { mode: 0o700 });
    await writeFile(path.join(folder, 'backup_label'), rows[0].labelfile);
    await writeFile(path.join(folder, 'standby.signal'), '');
    const { username, password, port } = new URL(primary.adminUrl);
    const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
    await appendFile(
      path.join(folder, 'postgresql.auto.conf'),
      `primary_conninfo = '${source}'\nsynchronous_standby_names = ''\n`,
    );
  } finally {
    await client.end();
  }
  const { uid, gid } = await stat(folder);
  for (const name of await readdir(folder)) await chown(path.join(folder, name), uid, gid);
}

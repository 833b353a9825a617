import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '@roundhouse/service';

const run = promisify(execFile);

/** This user runs PostgreSQL's programs; undefined means our own user. */
export type SystemUser = {
  uid: number;
  gid: number;
};

const USER_NAME = 'postgres';

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * PostgreSQL refuses to run as root. Root runs it as the user "postgres", which is made when
 * missing.
 */
export async function databaseUser(): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined;
  return (await findUser()) ?? (await createUser());
}

async function findUser(): Promise<SystemUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', USER_NAME]), run('id', ['-g', USER_NAME])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createUser(): Promise<SystemUser> {
  const attempt = await run('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/bin/false',
    USER_NAME,
  ]).catch((error: Error) => error);
  // Another start may have made the user a moment before, so only its existence counts.
  const user = await findUser();
  if (user) return user;
  const reason = attempt instanceof Error ? ` (${attempt.message.trim().split('\n').at(-1)})` : '';
  throw new StartError(
    `PostgreSQL refuses to run as root and the system user "${USER_NAME}" could not be made${reason}: start as an ordinary user instead`,
  );
}

/**
 * Returns whether this user can enter the folder and run its programs. The system decides, because
 * every parent folder counts too.
 */
export async function canEnter(folder: string, user: SystemUser): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { uid: user.uid, gid: user.gid, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '@roundhouse/service';

const run = promisify(execFile);

/** Whom PostgreSQL's programs run as; none means: as ourselves. */
export type SystemUser = {
  uid: number;
  gid: number;
};

const USER_NAME = 'postgres';

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** PostgreSQL refuses to run as root: root lends it the user "postgres", made when the machine has none. */
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
  // Another start may have made the user a moment before us, so what counts is that there is one now.
  const user = await findUser();
  if (user) return user;
  const reason = attempt instanceof Error ? ` (${attempt.message.trim().split('\n').at(-1)})` : '';
  throw new StartError(
    `PostgreSQL refuses to run as root and the system user "${USER_NAME}" could not be made${reason}: start as an ordinary user instead`,
  );
}

/** Can this user enter the folder and run what lies in it? Asked of the system itself, since every folder above counts too. */
export async function canEnter(folder: string, user: SystemUser): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { uid: user.uid, gid: user.gid, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

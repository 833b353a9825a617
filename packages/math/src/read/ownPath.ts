import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** It follows the name of a file that a symbolic link leads to. */
export const LINK_ISSUE = 'is a symbolic link; put the file itself here';

/**
 * Returns the real path of the file or folder `name` of `folder`; undefined when a symbolic link
 * leads there. The files of a game lie in its folder: behind a link is any file that this process
 * may read, and reports and players would see it. `folder` itself may be reached through a link.
 * Rejects with the I/O error when there is nothing of that name.
 */
export async function ownPath(folder: string, name: string): Promise<string | undefined> {
  const own = join(await realpath(folder), name);
  return (await realpath(own)) === own ? own : undefined;
}

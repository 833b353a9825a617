import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The key lies beside the database of `roundhouse dev`, so its operators survive a restart. */
export const SECRETS_KEY_FILE = 'secrets.key';
const SECRETS_KEY_BYTES = 32;

/**
 * Returns the key of this data folder for the secrets of operators. The first start makes it. Only
 * its owner may read the file.
 */
export async function keptSecretsKey(folder: string): Promise<string> {
  const file = path.join(folder, SECRETS_KEY_FILE);
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (known !== undefined) return known.trim();
  const made = randomBytes(SECRETS_KEY_BYTES).toString('hex');
  // The key is written under another name first: a start that is killed here leaves no partial key.
  await writeFile(`${file}.new`, `${made}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return made;
}

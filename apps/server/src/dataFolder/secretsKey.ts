import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * It lies beside the database of `roundhouse dev`, so that its operators are there again at the
 * next start.
 */
export const SECRETS_KEY_FILE = 'secrets.key';
const SECRETS_KEY_BYTES = 32;

/**
 * The key of this data folder for the secrets of operators, made at the first start. Nobody but its
 * owner may read the file.
 */
export async function keptSecretsKey(folder: string): Promise<string> {
  const file = path.join(folder, SECRETS_KEY_FILE);
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (known !== undefined) return known.trim();
  const made = randomBytes(SECRETS_KEY_BYTES).toString('hex');
  // Under another name first: a start that is killed here leaves no half of a key.
  await writeFile(`${file}.new`, `${made}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return made;
}

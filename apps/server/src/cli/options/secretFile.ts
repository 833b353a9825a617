import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { StartError } from '../../startError.ts';

/**
 * The secret in a file, "-" being the standard input. There is no option that takes the secret itself: every user of a machine can read
 * the command lines of its processes. A line end behind it does not belong to it.
 */
export async function readSecretFile(file: string): Promise<string> {
  const written = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8').catch(refuseFile(file));
  const secret = written.replace(/\r?\n$/, '');
  if (secret === '' || /[\r\n]/.test(secret)) throw new StartError('A secret is one line of text, and not empty.');
  return secret;
}

function refuseFile(file: string): (error: NodeJS.ErrnoException) => never {
  return ({ code, message }) => {
    throw new StartError(`The secret cannot be read from ${file}: ${code ?? message}.`);
  };
}

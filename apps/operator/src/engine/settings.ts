import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StartError } from '@roundhouse/service';
import * as z from 'zod';

/** The keys of the dialect: Ed25519. */
export type EngineKeys = {
  /** The operator signs with it. */
  own: KeyObject;
  /** The game server's requests are verified with it. */
  rgs: KeyObject;
};

/** The dialect knows no timeout of a session: a hundred years. */
export const SESSION_MS = 100 * 365 * 24 * 3_600_000;

const keySchema = (read: (pem: string) => KeyObject) =>
  z.string().transform((pem, { addIssue }) => {
    try {
      const key = read(pem);
      if (key.asymmetricKeyType === 'ed25519') return key;
    } catch {
      // The message of the error could show the key.
    }
    addIssue('must be an Ed25519 key, as PEM text');
    return z.NEVER;
  });
const settingsSchema = z.strictObject({
  privateKey: keySchema(createPrivateKey),
  rgsPublicKey: keySchema(createPublicKey),
});

/**
 * Reads `--dialect engine --dialect-settings <file>`; undefined without the options: the wallet
 * protocol of Roundhouse.
 * @throws StartError, whose message shows no key.
 */
export function readEngineKeys(args: readonly string[]): EngineKeys | undefined {
  const { dialect, 'dialect-settings': file } = optionsOf(args);
  if (dialect === undefined && file === undefined) return undefined;
  if (dialect !== 'engine' || file === undefined)
    throw new StartError('The dialect is given as --dialect engine --dialect-settings <file>.');
  const { data, error } = settingsSchema.safeParse(readJson(file));
  if (error) {
    const [issue] = error.issues;
    throw new StartError(`--dialect-settings ${file}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return { own: data.privateKey, rgs: data.rgsPublicKey };
}

function optionsOf(args: readonly string[]) {
  const options = { dialect: { type: 'string' }, 'dialect-settings': { type: 'string' } } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new StartError(`--dialect-settings ${file}: cannot be read as JSON`);
  }
}

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StartError } from '@roundhouse/service';

/** The Ed25519 keys of the dialect. */
export type EngineKeys = {
  /** The operator signs with it. */
  own: KeyObject;
  /** The game server's requests are verified with it. */
  rgs: KeyObject;
};

/** The dialect knows no timeout of a session: a hundred years. */
export const SESSION_MS = 100 * 365 * 24 * 3_600_000;

const OPTIONS = { dialect: { type: 'string' }, 'dialect-settings': { type: 'string' } } as const;

/**
 * Reads `--dialect engine --dialect-settings <file>`; undefined without the options: the wallet
 * protocol of Roundhouse.
 * @throws StartError, whose message shows no key.
 */
export function readEngineKeys(args: readonly string[]): EngineKeys | undefined {
  const values = attempt(
    () => parseArgs({ args: [...args], options: OPTIONS }).values,
    (error) => error.message,
  );
  const { dialect, 'dialect-settings': file } = values;
  if (dialect === undefined && file === undefined) return undefined;
  if (dialect !== 'engine' || file === undefined)
    throw new StartError('The dialect is given as --dialect engine --dialect-settings <file>.');
  const named = `--dialect-settings ${file}`;
  const settings = attempt(
    () => ({ ...JSON.parse(readFileSync(file, 'utf8')) }),
    () => `${named}: cannot be read as JSON`,
  );
  const keyOf = (name: string, read: (pem: string) => KeyObject) => {
    const issue = () => `${named}: ${name}: must be an Ed25519 key, as PEM text`;
    const key = attempt(() => read(settings[name]), issue);
    if (key.asymmetricKeyType !== 'ed25519') throw new StartError(issue());
    return key;
  };
  return { own: keyOf('privateKey', createPrivateKey), rgs: keyOf('rgsPublicKey', createPublicKey) };
}

function attempt<Value>(work: () => Value, issueOf: (error: Error) => string): Value {
  try {
    return work();
  } catch (error) {
    throw new StartError(issueOf(error as Error));
  }
}

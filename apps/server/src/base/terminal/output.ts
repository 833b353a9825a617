import { open, rename, rm } from 'node:fs/promises';
import { stopWith } from '../reason.ts';

export type Output = {
  /** Resolves when more may be written. */
  write(text: string): Promise<void>;
};

/**
 * Runs `work` with the file as its output, or with the standard output. The file appears when all
 * of it is written: a failure in between leaves none. Only its owner may read it. Returns undefined
 * when the reader of the standard output is gone (`| head`).
 */
export async function withOutput<Value>(
  file: string | undefined,
  work: (output: Output) => Promise<Value>,
): Promise<Value | undefined> {
  if (file !== undefined) return toFile(file, work);
  try {
    return await work({ write: print });
  } catch (error) {
    if (error instanceof NobodyReads) return undefined;
    throw error;
  }
}

async function toFile<Value>(file: string, work: (output: Output) => Promise<Value>): Promise<Value> {
  const part = `${file}.part`;
  const handle = await open(part, 'w', 0o600).catch(stopWith(`${file} cannot be written`));
  try {
    const value = await work({ write: (text) => handle.appendFile(text) });
    await handle.sync();
    await rename(part, file);
    return value;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** The standard output has no reader any more. */
class NobodyReads extends Error {}

function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(new NobodyReads()) : resolve()));
  });
}

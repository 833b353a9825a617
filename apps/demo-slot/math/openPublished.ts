import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MathPackage, openMath } from '@roundhouse/math';

export type PublishedMath = {
  readonly math: MathPackage;
  /** Also removes the temporary index. */
  close(): Promise<void>;
};

/** Opens the published files in `math/` of a game's folder. Rejects when they are not right. */
export async function openPublished(gameFolder: string): Promise<PublishedMath> {
  const storeFolder = await mkdtemp(join(tmpdir(), 'aurora-line-'));
  const removeStore = () => rm(storeFolder, { recursive: true, force: true });
  const opened = await openMath({ folder: join(gameFolder, 'math'), storeFolder });
  if (!opened.ok) {
    await removeStore();
    throw new Error(JSON.stringify(opened.issues));
  }
  const math = opened.value;
  return { math, close: () => math.close().finally(removeStore) };
}

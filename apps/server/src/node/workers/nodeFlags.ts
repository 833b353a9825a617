import os from 'node:os';

/** With this much memory a young generation of 64 MB is affordable: it takes up to 100 MB. */
const ROOMY_BYTES = 1024 ** 3;

/**
 * Returns flags that only a start of Node can set. The objects of a play die young. With a larger
 * young generation than Node's 16 MB they are collected less often (decision 011). NODE_OPTIONS
 * wins.
 */
export function nodeFlags(
  workers: number,
  memoryBytes = Math.min(os.totalmem(), process.constrainedMemory() || Infinity),
  nodeOptions = process.env.NODE_OPTIONS ?? '',
): string[] {
  const isSet = /--max[-_]semi[-_]space[-_]size/.test(nodeOptions);
  return isSet || memoryBytes / workers < ROOMY_BYTES ? [] : ['--max-semi-space-size=64'];
}

import os from 'node:os';

/** A young generation of 64 MB takes up to 100 MB. */
const ROOMY_BYTES = 1024 ** 3;

/**
 * Only a start of Node can set these flags. The objects of a play die young, and a larger young
 * generation than Node's 16 MB is not collected as often (docs/performance.md). NODE_OPTIONS wins.
 */
export function nodeFlags(
  workers: number,
  memoryBytes = Math.min(os.totalmem(), process.constrainedMemory() || Infinity),
  nodeOptions = process.env.NODE_OPTIONS ?? '',
): string[] {
  const isSet = /--max[-_]semi[-_]space[-_]size/.test(nodeOptions);
  return isSet || memoryBytes / workers < ROOMY_BYTES ? [] : ['--max-semi-space-size=64'];
}

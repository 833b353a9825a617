import { expect, it } from 'vitest';
import { nodeFlags } from './nodeFlags.ts';

const TWO_GIGABYTES = 2 * 1024 ** 3;

it.each([
  ['a gigabyte for each worker', TWO_GIGABYTES, '', true],
  ['less memory', TWO_GIGABYTES - 1, '', false],
  ['other NODE_OPTIONS', TWO_GIGABYTES, '--max-old-space-size=512', true],
  ['its size in NODE_OPTIONS', TWO_GIGABYTES, '--enable-source-maps --max-semi-space-size=32', false],
  ['its size with underscores', TWO_GIGABYTES, '--max_semi_space_size=32', false],
])('with %s the young generation is set or left as it is', (_what, memoryBytes, nodeOptions, isLarger) => {
  expect(nodeFlags(2, memoryBytes, nodeOptions)).toEqual(isLarger ? ['--max-semi-space-size=64'] : []);
});

import { readFileSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { createClient } from '../src/index.ts';

it('the lines of the home page of the documents spin', async () => {
  const page = readFileSync(new URL('../../../docs/index.md', import.meta.url), 'utf8');
  const [, lines = ''] = /^```js\n([\s\S]*?)^```/m.exec(page) ?? [];
  expect(lines).toContain("import { createClient } from '@roundhouse/sdk';");
  const here = lines.replace(/^import .*$/m, '').replace('http://127.0.0.1:4000', inject('rgsUrl'));

  const printed: unknown[] = [];
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  await new AsyncFunction('createClient', 'console', here)(createClient, {
    log: (...args: unknown[]) => printed.push(...args),
  });
  expect(printed).toEqual([expect.any(Number), expect.arrayContaining([expect.objectContaining({ index: 0 })])]);
});

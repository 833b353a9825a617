import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startServe, stop, temporaryFolder } from '../../support/roundhouse.ts';
import { servedFixture } from '../../support/servedFixture.ts';

/** The generator of the second worker gives zeros. */
const BREAKS_ONE_WORKER = `
if (require('node:cluster').worker?.id === 2) {
  require('node:crypto').randomFillSync = (words) => words.fill(0);
  require('node:module').syncBuiltinESMExports();
}`;

it('one worker with a broken generator stops new rounds of the whole node, also of later workers', async () => {
  const preload = path.join(await temporaryFolder('preload'), 'breaks.cjs');
  await writeFile(preload, BREAKS_ONE_WORKER);
  const env = { ...(await servedFixture('random')), NODE_OPTIONS: `--require "${preload}"` };
  const node = await startServe(['--workers', '2'], { env });
  const statusesOf = () =>
    Promise.all(
      Array.from({ length: 12 }, async () => {
        const response = await fetch(`${node.url}/readyz`, { headers: { connection: 'close' } });
        return `${response.status} ${await response.text()}`;
      }),
    );
  const stopped = `503 {"status":"new rounds are stopped: the random number generator failed a health test"}`;
  await expect.poll(async () => [...new Set(await statusesOf())]).toEqual([stopped]);
  await node.waitFor(/"issue":"repetition count test: 9 equal bytes in succession"/);

  const [, pid] = await node.waitFor(/"pid":(\d+),[^\n]*"issue"/);
  process.kill(Number(pid), 'SIGKILL');
  await node.waitFor(/a worker took the place of one that died/);
  expect([...new Set(await statusesOf())]).toEqual([stopped]);
  await stop(node);
});

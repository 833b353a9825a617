import { once } from 'node:events';
import { cp, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { create, PACKAGE, run, temporaryFolder } from '../support/command.ts';

const env = { PATH: `${path.join(PACKAGE, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH}` };
const SAMPLE_GAME = path.join(PACKAGE, '..', '..', 'games', 'sample', 'dist');
/** The test needs no browser. */
const SPEC = `import { expect, test } from '@playwright/test';
test('ready', async ({ request, baseURL }) => {
  expect((await request.get('/readyz')).ok(), baseURL).toBe(true);
});
`;

it('the browser test of a game has a server on a free port, or on that of TEST_PORT', async () => {
  const cwd = await temporaryFolder();
  await create(['game', '--template', 'vanilla', '--no-install'], { cwd });
  const folder = path.join(cwd, 'game');
  await cp(SAMPLE_GAME, path.join(folder, 'dist'), { recursive: true });
  await writeFile(path.join(folder, 'e2e', 'ready.spec.ts'), SPEC);
  const test = (variables: NodeJS.ProcessEnv) =>
    run('playwright', ['test', 'ready.spec.ts'], { cwd: folder, env: { ...env, ...variables } });
  expect(await test({ TEST_PORT: undefined })).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 passed/) });

  const holder = net.createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const refused = await test({ TEST_PORT: String(port) });
  holder.close();
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toContain(
    `Port ${port} on 127.0.0.1 is in use. Choose another with TEST_PORT.`,
  );
});

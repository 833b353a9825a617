import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

const SCRIPT = fileURLToPath(new URL('../support/publishingNode.mjs', import.meta.url));
const TIMES = 10;
let nodes: ChildProcess[] = [];

afterAll(() => {
  for (const node of nodes) node.kill('SIGKILL');
});

async function startNode(databaseUrl: string): Promise<ChildProcess> {
  const node = fork(SCRIPT, [databaseUrl], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(node, 'message');
  return node;
}

async function tell(node: ChildProcess, order: object): Promise<unknown> {
  const said = once(node, 'message');
  node.send(order);
  return (await said)[0];
}

it('two nodes that make the same new operator, game and version known at the same moment both can', async () => {
  const { url } = await createTestDatabase();
  nodes = await Promise.all([startNode(url), startNode(url)]);
  const outcomes: unknown[] = [];
  for (let time = 1; time <= TIMES; time += 1) {
    const game = { gameID: `new-${time}`, version: '1', title: 'New', currencies: ['EUR'], jurisdiction: {} };
    const order = { operator: `new-${time}`, game: { ...game, mathSha256: 'a'.repeat(64) } };
    outcomes.push(...(await Promise.all(nodes.map((node) => tell(node, order)))));
  }
  expect(outcomes).toEqual(Array.from({ length: 2 * TIMES }, () => ({ ok: true })));
});

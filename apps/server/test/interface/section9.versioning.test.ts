import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CheckedClient, ENDPOINTS, useCheckedServer } from '../support/checkedServer.ts';
import { writeFixtureGame } from '../support/fixtureGame.ts';
import { createStoreFolder, type ServingNode, startServing } from '../support/servingNode.ts';

const server = useCheckedServer();
let node: ServingNode;
const cleanUp: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const [store, one, two] = await Promise.all([
    createStoreFolder(),
    writeFixtureGame({ version: '1.0.0' }),
    writeFixtureGame({ version: '2.0.0-rc.1' }),
  ]);
  node = await startServing(server, { folders: [one.folder, two.folder], storeFolder: store.folder });
  cleanUp.push(node.close, store.remove, one.remove, two.remove);
});
afterAll(async () => {
  for (const step of cleanUp) await step();
});

describe('9. Versioning', () => {
  test('rule 1: the game version is a path segment of the launch URL', async () => {
    const pathOf = async (client: CheckedClient) =>
      new URL((await client.post('/session/start', {})).body.url).pathname;
    expect(await pathOf(server)).toBe('/fixture/1.0.0/index.html');
    expect(await pathOf(node)).toBe('/fixture/2.0.0-rc.1/index.html');
  });

  test('rule 1: each served version has its own path, and a version that is not there has none', async () => {
    expect((await node.send('/fixture/1.0.0/index.html')).status).toBe(200);
    expect((await node.send('/fixture/2.0.0-rc.1/index.html')).status).toBe(200);
    expect((await node.send('/fixture/3.0.0/index.html')).status).toBe(404);
    expect((await node.send('/fixture/index.html')).status).toBe(404);
  });

  test.each(ENDPOINTS)(
    'rule 2: the API has no version: $path has no prefix and asks for no header',
    async (endpoint) => {
      expect((await server.send(`/v1${endpoint.path}`, { method: 'POST', body: '{}' })).status).toBe(404);
      const { body } = await server.post(endpoint.path, { sessionID: 'never-issued', ...endpoint.more });
      expect(body.error).toBe('ERR_IS');
    },
  );
});

import { EventEmitter } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { followBuild } from '../../../src/local/followBuild.ts';
import { loadAndPublish } from '../../../src/rounds/games/loadCatalogue.ts';
import { operatorClient, useOperators } from '../../operators/api/operatorClient.ts';
import { useTestServer } from '../../support/testServer.ts';
import { gameFileOf, writeStudioFolder } from '../../support/writeStudioFolder.ts';

const server = useTestServer();
const { house } = useOperators(server);

/** Is the script of `npm start`, as far as the server sees it. */
class Parent extends EventEmitter {
  connected = true;
  send = vi.fn();
}

async function writeGame(gameFile: object) {
  const written = await writeStudioFolder({
    name: 'late',
    books: [{ id: 1, payoutMultiplier: 0, events: '[1]' }],
    gameFile,
  });
  onTestFinished(written.remove);
  return written;
}

it('a game that is built while the server runs is listed and played; one that is not right is refused alone', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const parent = new Parent();
  const [broken, late] = [await writeGame({ id: 'broken' }), await writeGame(gameFileOf({ id: 'late' }))];
  const options = { db: server.db, storeFolder: late.storeFolder, warn: () => {} };
  const load = (folder: string) => loadAndPublish(options, folder);
  const served: string[] = [];
  const end = followBuild({ parent, catalogue: server.catalogue, load, onServed: ({ gameID }) => served.push(gameID) });

  parent.emit('message', { builtGame: broken.folder });
  parent.emit('message', { builtGame: late.folder });
  await end();
  expect(parent.send.mock.calls.flat()).toEqual([
    { serving: true },
    { refusedGame: broken.folder },
    { servedGame: late.folder },
  ]);
  expect(served).toEqual(['late']);
  const { body } = await operatorClient(server.url, await house()).games();
  expect(body.games.map(({ gameID }: { gameID: string }) => gameID)).toEqual(['fixture', 'late']);
  const sessionID = await server.newSession({ gameID: 'late' });
  await server.authenticate(sessionID);
  expect((await server.play(sessionID)).status).toBe(200);
});

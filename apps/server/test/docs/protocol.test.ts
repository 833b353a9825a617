import { beforeAll, it } from 'vitest';
import { BOOK } from '../support/fixtureGame.ts';
import { useTestServer } from '../support/testServer.ts';
import { examplesOf, expectPromised } from './protocolExamples.ts';

const server = useTestServer();
const examples = examplesOf('protocol.md');
let sessionID: string;

beforeAll(async () => {
  sessionID = await server.newSession();
});

// The examples run one after the other: they tell the life of one round.
it.each(examples)('docs/protocol.md, $name', async (example) => {
  const { method, path, headers, body } = example;
  if (path === '/wallet/play') {
    await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays150 });
  }
  const actual = await server.send(path, {
    method,
    headers,
    ...(body !== undefined && { body: body.replace('"a-session-id"', JSON.stringify(sessionID)) }),
  });
  expectPromised(actual, example);
});

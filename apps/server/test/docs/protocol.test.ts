import { FAIRNESS_ROUTES } from '@roundhouse/contract';
import { beforeAll, it } from 'vitest';
import { BOOK } from '../support/fixtureGame.ts';
import { SECRETS_KEY } from '../support/roundhouse.ts';
import { useTestServer } from '../support/testServer.ts';
import { examplesOf, expectPromised } from './protocolExamples.ts';

const server = useTestServer({ secretsKey: SECRETS_KEY });
const examples = examplesOf('protocol.md');
let sessionID: string;
let fairSessionID: string;
/** The document cannot name the hash of a server seed, which is random. */
let serverSeedHash = '';

beforeAll(async () => {
  sessionID = await server.newSession();
  fairSessionID = await server.liveSession({ draws: 'provablyFair' });
});

// The examples run one after the other: they tell the life of one round.
it.each(examples)('docs/protocol.md, $name', async (example) => {
  const { method, path, headers, body } = example;
  if (path === '/wallet/play') {
    await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays150 });
  }
  if (path === FAIRNESS_ROUTES.proof.path) {
    await server.play(fairSessionID);
    await server.endRound(fairSessionID);
  }
  const actual = await server.send(path, {
    method,
    headers,
    ...(body !== undefined && { body: filledIn(body) }),
  });
  if (path === FAIRNESS_ROUTES.seeds.path) serverSeedHash = actual.body.fairness.serverSeedHash;
  expectPromised(actual, example);
});

function filledIn(body: string): string {
  return body
    .replace('a-session-id', sessionID)
    .replace('a-fair-session', fairSessionID)
    .replace('the-server-seed-hash', serverSeedHash);
}

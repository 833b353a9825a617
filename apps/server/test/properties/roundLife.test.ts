import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useCheckedServer } from '../support/checkedServer.ts';
import { HOUR_MS, idleFor } from '../support/moveTime.ts';
import { balanceOf } from '../support/snapshot.ts';
import { clientOf, expectBooksBalance } from '../support/testServer.ts';
import { type Real, roundCommands } from './roundCommands.ts';
import { CURRENCIES, newModel, OPENING_MICROS, PLAYERS } from './roundModel.ts';

const RUNS = 60;
const COMMANDS = 60;

const server = useCheckedServer();

async function newSessions(): Promise<string[]> {
  const sessionIDs: string[] = [];
  for (let player = 0; player < PLAYERS; player += 1) {
    const token = crypto.randomUUID();
    for (const currency of CURRENCIES) {
      sessionIDs.push(await server.newSession({ token, currency, balance: OPENING_MICROS }));
    }
  }
  return sessionIDs;
}

it('a round behaves as the model: any players, sessions and nodes, any requests in any order', async () => {
  const node = await server.startNode();
  const nodes: Real['nodes'] = [server, clientOf(node.url)];
  const letExpire = (sessionID: string) => idleFor(server, sessionID, HOUR_MS);
  await fc.assert(
    fc.asyncProperty(fc.commands(roundCommands, { maxCommands: COMMANDS, size: 'max' }), async (commands) => {
      const model = newModel();
      const sessionIDs = await newSessions();
      await fc.asyncModelRun(() => ({ model, real: { nodes, sessionIDs, letExpire } }), commands);
      for (const [index, sessionID] of sessionIDs.entries()) {
        expect(await balanceOf(server, sessionID)).toBe(model.sessions[index]?.account.balance);
      }
      await expectBooksBalance(server.db);
    }),
    { numRuns: RUNS },
  );
  await node.close();
});

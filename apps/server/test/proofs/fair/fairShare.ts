import type { Database } from '../../../src/store/database/database.ts';
import { call } from '../../support/rgsCalls.ts';
import { succeed, temporaryFolder } from '../../support/roundhouse.ts';
import { OPERATOR } from '../../support/testServer.ts';
import { createRandom } from '../chaos/playAndKill.ts';
import { OPERATOR_CODE } from '../chaos/processes.ts';
import { type Exported, expectNoGapInDatabase, exportAndVerify } from './exports.ts';
import { createFairPlayer } from './fairPlayer.ts';

export type Entered = { playerID: string; sessionID: string };

/**
 * Lets sessions of the house and of the reference operator draw by seeds, from now on. A session
 * starts with its first request, so these are sent for the earlier ones.
 */
export async function drawFairly(
  databaseUrl: string,
  { url, entered = [] }: { url: string; entered?: readonly Entered[] },
): Promise<void> {
  for (const { sessionID } of entered) await call(url, '/wallet/authenticate', { sessionID });
  for (const code of [OPERATOR, OPERATOR_CODE])
    await succeed(['operator', 'set', code, '--draws', 'provablyFair'], { env: { DATABASE_URL: databaseUrl } });
}

/** A session with fair draws plays when its player has a client seed. */
export async function setClientSeeds(url: string, entered: readonly Entered[]): Promise<void> {
  for (const { playerID, sessionID } of entered) {
    await call(url, '/wallet/authenticate', { sessionID });
    await call(url, '/fairness/client-seed', { sessionID, clientSeed: `of ${playerID}` });
  }
}

/**
 * After the last round: each player reveals and exports; every round is verified, and no nonce is
 * missing.
 */
export async function expectFairRounds(
  db: Database,
  { entered, nodes }: { entered: readonly Entered[]; nodes: readonly { url: string }[] },
): Promise<Exported[]> {
  const folder = await temporaryFolder('fair exports');
  const exported: Exported[] = [];
  for (const [place, { playerID, sessionID }] of entered.entries()) {
    const player = createFairPlayer({
      ...{ playerID, games: [{ gameID: 'fixture', sessionID, modes: ['BASE'] }], nodes: nodes.map(({ url }) => url) },
      ...{ random: createRandom(1, place), rotates: true, voidRound: async () => {} },
    });
    await player.comeToRest();
    await player.rotate();
    exported.push(...(await exportAndVerify(player, folder)));
  }
  await expectNoGapInDatabase(db, exported);
  return exported;
}

/** Returns a line for those who read the output as evidence. */
export function fairRoundsText(exported: readonly Exported[]): string {
  const rounds = exported.flatMap(({ document }) => document.rounds);
  const voids = rounds.filter((round) => round.void).length;
  return `${rounds.length} rounds of ${exported.length} players drawn by seeds, ${voids} of them void: all verified, no nonce is missing`;
}

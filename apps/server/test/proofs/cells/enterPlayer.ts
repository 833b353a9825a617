import { type ChaosPlayer, createChaosPlayer } from '../chaos/chaosPlayer.ts';
import { createRandom } from '../chaos/playAndKill.ts';
import { launchAt } from '../chaos/simulate.ts';
import type { FleetCell, ProcessFleet } from './processFleet.ts';

type Entering = { playerID: string; seed: number; place: number };

/** The operator launches the player, who plays with the server that the launch URL names. */
export async function enterPlayer(
  { operator, cells }: ProcessFleet,
  { playerID, seed, place }: Entering,
): Promise<{ player: ChaosPlayer; cell: FleetCell }> {
  const { sessionID, rgsUrl } = await launchAt(operator, playerID);
  const cell = cells.find(({ url }) => url === rgsUrl);
  if (cell === undefined) throw new Error(`the launch of ${playerID} leads to ${rgsUrl}, which is no cell`);
  const player = createChaosPlayer({ playerID, sessionID, nodes: [rgsUrl], random: createRandom(seed, place) });
  return { player, cell };
}

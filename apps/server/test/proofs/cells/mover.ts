import { setTimeout as pause } from 'node:timers/promises';
import { insist } from '@roundhouse/fault-injection';
import { type ChaosPlayer, createChaosPlayer } from '../chaos/chaosPlayer.ts';
import { createRandom } from '../chaos/playAndKill.ts';
import { launchAt } from '../chaos/simulate.ts';
import { THINK_MS } from '../failover/playWhile.ts';
import type { ProcessFleet } from './processFleet.ts';

const PATIENCE_MS = 300_000;

export type Mover = ReturnType<typeof createMover>;

/**
 * A player who is moved while playing. The cell refuses new rounds meanwhile, and the session ends;
 * then the operator launches the game again, and the launch URL leads to the other cell.
 */
export function createMover(
  { operator }: ProcessFleet,
  { playerID, seed, place }: { playerID: string; seed: number; place: number },
) {
  const random = createRandom(seed, place);
  const plays: ChaosPlayer['plays'] = [];
  /** The addresses that launches have led to, one after the other. */
  const servers: string[] = [];
  let player: ChaosPlayer | undefined;

  async function relaunch(): Promise<ChaosPlayer> {
    let refused: unknown;
    // Between two cells there is a moment in which neither has the player.
    const attempt = () =>
      launchAt(operator, playerID).catch((error: unknown) => {
        refused = error;
        return undefined;
      });
    const launched = await insist(attempt, { patienceMs: PATIENCE_MS, random });
    if (launched === undefined) throw refused;
    const { sessionID, rgsUrl } = launched;
    if (servers.at(-1) !== rgsUrl) servers.push(rgsUrl);
    return createChaosPlayer({ playerID, sessionID, nodes: [rgsUrl], random });
  }

  return {
    playerID,
    plays,
    servers,
    /** Plays one round, or finds that the cell refuses it. Returns whether it was played. */
    async playRound(): Promise<boolean> {
      player ??= await relaunch();
      const before = player.plays.length;
      try {
        await player.playRound();
        return true;
      } catch {
        // The last round may have been opened without a response that said so.
        if (player.plays.length === before) plays.push({ roundID: undefined, amount: 0, atMs: performance.now() });
        await pause(random() * THINK_MS);
        return false;
      } finally {
        plays.push(...player.plays.slice(before));
        if (player.calls.at(-1)?.status !== 200) player = undefined;
      }
    },
  };
}

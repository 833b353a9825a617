import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@roundhouse/math';
import type { ChaosPlayer } from './chaosPlayer.ts';
import type { ChaosProcess } from './processes.ts';

/** An operator acts once in this number of rounds. */
const ROUNDS_PER_ACT = 4;

/** A process that is killed this number of times. `place` counts all kills. */
type Victim = { times: number; kill(random: () => number, place: number): Promise<void> };

type Running = {
  seed: number;
  rounds: number;
  players: readonly ChaosPlayer[];
  victims: readonly Victim[];
  /** The acts of everybody but the players. */
  acts: readonly (() => Promise<void>)[];
};

/**
 * All players play until `rounds` rounds have begun. Others act, and victims are killed meanwhile.
 */
export async function playAndKill({ seed, rounds, players, victims, acts }: Running): Promise<void> {
  const random = createRandom(seed, players.length);
  let begun = 0;
  const playing = Promise.all(
    players.map(async (player) => {
      while (begun < rounds) {
        begun += 1;
        await player.playRound();
      }
    }),
  );
  const kills = victims
    .flatMap((victim) => Array<Victim>(victim.times).fill(victim))
    .map((victim) => ({ victim, order: random() }))
    .sort((one, other) => one.order - other.order);
  const killing = (async () => {
    for (const [place, { victim }] of kills.entries()) {
      // The kills are spread over the rounds, each at a random moment.
      const due = (rounds * (place + 0.5)) / (kills.length + 1);
      while (begun < due) await pause(5);
      await pause(random() * 200);
      await victim.kill(random, place);
    }
  })();
  const acting = acts.map(async (act) => {
    for (let due = 0; due < rounds; due += ROUNDS_PER_ACT) {
      while (begun < due) await pause(5);
      await act();
    }
  });
  await Promise.all([playing, killing, ...acting]);
}

export function restartOneOf(nodes: readonly Pick<ChaosProcess, 'restart'>[]) {
  return async (random: () => number) => nodes[Math.floor(random() * nodes.length)]?.restart();
}

/** Returns numbers from 0 to below 1. Each pair of seed and stream is its own source. */
export function createRandom(seed: number, stream: number): () => number {
  const source = seededRandom({ stream: seed, round: stream });
  return () => source.below(2 ** 32) / 2 ** 32;
}

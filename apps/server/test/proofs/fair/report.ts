import type { Exported } from './exports.ts';
import type { FairPlayer } from './fairPlayer.ts';
import type { FairRun } from './playFair.ts';

const LARGEST = 5;

/** Returns what was played and verified, as lines for those who read the output as evidence. */
export function reportOf({ players, nodes, seconds }: FairRun, exported: readonly Exported[]): string {
  const sum = (amountOf: (each: Exported) => number) => exported.reduce((total, each) => total + amountOf(each), 0);
  const count = (name: keyof FairPlayer['counts']) => players.reduce((total, { counts }) => total + counts[name], 0);
  const rounds = sum(({ document }) => document.rounds.length);
  const voids = sum(({ document }) => document.rounds.filter((round) => round.void).length);
  const plays = [
    `${rounds} rounds of ${players.length} players on ${nodes.length} nodes in ${seconds.toFixed(1)} s: ${(rounds / seconds).toFixed(0)} plays/s`,
    `${voids} void rounds (${count('voided')} by operators), ${count('badBets')} refused bets, ${count('repeated')} repeated keys, ${count('raced')} pairs of plays at once`,
    `${count('clientSeeds')} client seeds, ${exported.length} server seeds, ${count('refusedChanges')} changes refused while a round was open`,
    `0 mismatches, no gaps: by @roundhouse/fair in ${sum((each) => each.verifySeconds).toFixed(1)} s, by verify.py in ${sum((each) => each.pythonSeconds).toFixed(1)} s`,
  ];
  const messages = new Map<string, number>();
  for (const { uncertain } of players)
    for (const [message, times] of uncertain) messages.set(message, (messages.get(message) ?? 0) + times);
  const errors = [...messages].map(([message, times]) => `${times} responses of 500 and more: ${message}`);
  const largest = exported
    .toSorted((one, other) => other.document.rounds.length - one.document.rounds.length)
    .slice(0, LARGEST)
    .map((each) =>
      [
        `${each.player.playerID}: ${each.document.rounds.length} rounds`,
        `export ${each.exportSeconds.toFixed(2)} s, ${each.megabytes.toFixed(1)} MB`,
        `verify ${each.verifySeconds.toFixed(2)} s, verify.py ${each.pythonSeconds.toFixed(2)} s`,
      ].join(', '),
    );
  return [...plays, ...errors, `the largest of ${exported.length} exports:`, ...largest].join('\n');
}

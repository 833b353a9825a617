import type { GameModel } from '../../game/model.ts';

/**
 * What is shown before the game: the loading bar; the intro, or the card of a replay; the card
 * again when the replay has ended, over its last picture; or only the logo, behind a dialog that
 * says why there is no game.
 */
export type WelcomeKind = 'loading' | 'intro' | 'replayReady' | 'replayEnded' | 'noGame';

type Facts = Pick<GameModel, 'phase' | 'replay' | 'config'>;

export function welcomeKindOf({ phase, replay, config }: Facts): WelcomeKind | undefined {
  if (phase.value === 'loading' || phase.value === 'intro') return phase.value;
  if (phase.value === 'blocked') return config.value || replay.value ? undefined : 'noGame';
  if (replay.value?.state === 'ready') return 'replayReady';
  return replay.value?.state === 'ended' ? 'replayEnded' : undefined;
}

/** Whether it hides the game behind it. */
export function hidesGame(kind: WelcomeKind | undefined): boolean {
  return kind !== undefined && kind !== 'replayEnded';
}

import type { AudioPort, Cue, Music, Volumes } from '../game/ports.ts';
import type { Player } from './player.ts';

/**
 * Makes the game's sound. It is silent until `unlock`, because browsers start sound only after a
 * touch or a key. Then the audio player is fetched and the sounds are made. In a browser that
 * cannot play it stays silent. Nothing here throws.
 */
export function createAudio(): AudioPort {
  let player: Player | undefined;
  let isStarting = false;
  // The latest settings. The player gets them when it starts.
  let piece: Music = 'none';
  let isMuted = false;
  let volumes: Volumes | undefined;

  const start = async () => {
    const { startPlayer } = await import('./player.ts');
    player = startPlayer();
    player.setMuted(isMuted);
    if (volumes !== undefined) player.setVolumes(volumes);
    player.music(piece);
  };
  /** After an error of the player the game continues without sound. */
  const withPlayer = (act: (player: Player) => void) => {
    try {
      if (player !== undefined) act(player);
    } catch {
      player = undefined;
    }
  };

  return {
    unlock() {
      if (isStarting || !('AudioContext' in globalThis)) return;
      isStarting = true;
      start().catch(() => {});
    },
    play: (cue: Cue) => withPlayer((audible) => audible.play(cue)),
    stop: (cue: Cue) => withPlayer((audible) => audible.stop(cue)),
    music(next) {
      piece = next;
      withPlayer((audible) => audible.music(next));
    },
    setMuted(muted) {
      isMuted = muted;
      withPlayer((audible) => audible.setMuted(muted));
    },
    setVolumes(next) {
      volumes = next;
      withPlayer((audible) => audible.setVolumes(next));
    },
  };
}

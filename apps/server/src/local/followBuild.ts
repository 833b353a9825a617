import type { EventEmitter } from 'node:events';
import { type BeingBuilt, setBeingBuilt } from '../base/http/beingBuilt.ts';
import type { Catalogue, GameVersion } from '../rounds/games/catalogue.ts';
import type { LoadGameOutcome } from '../rounds/games/loadGame.ts';
import { issuesText } from '../rounds/games/loadGames.ts';

/** The script of `npm start`, which builds the rest meanwhile, sends these. */
type FromParent = { beingBuilt?: BeingBuilt[]; builtGame?: string };

/** It receives these: the server serves now, and what has become of a game. */
type ToParent = { serving: true } | { servedGame: string } | { refusedGame: string };

type BuildDeps = {
  /** This process has the channel to its parent. */
  parent: Pick<EventEmitter, 'on' | 'off'> & { connected: boolean; send?: (message: ToParent) => unknown };
  catalogue: Pick<Catalogue, 'serve'>;
  load: (folder: string) => Promise<LoadGameOutcome>;
  /** Tells a person about a game that players can open now. */
  onServed: (game: GameVersion) => void;
};

/**
 * Serves what the parent builds while this server runs: adds each game that is built, and knows
 * which parts are not there yet. Returns the function that waits for a game that is being loaded.
 */
export function followBuild({ parent, catalogue, load, onServed }: BuildDeps): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const send = (message: ToParent) => parent.connected && parent.send?.(message);
  const serve = async (folder: string) => {
    const outcome = await load(folder);
    if (!outcome.ok) throw new Error(issuesText(outcome));
    onServed(await catalogue.serve(outcome.game));
    send({ servedGame: folder });
  };
  const onMessage = ({ beingBuilt, builtGame: folder }: FromParent) => {
    if (beingBuilt !== undefined) setBeingBuilt(beingBuilt);
    if (folder === undefined) return;
    running = running
      .then(() => serve(folder))
      .catch((error: unknown) => {
        // The other games go on. A load that is stopped with the server says nothing about the
        // game.
        if (!parent.connected) return;
        console.error(error instanceof Error ? error.message : error);
        send({ refusedGame: folder });
      });
  };
  parent.on('message', onMessage);
  send({ serving: true });
  return () => {
    parent.off('message', onMessage);
    return running;
  };
}

import { stat } from 'node:fs/promises';
import { StartError } from '@roundhouse/service';
import type { Catalogue } from '../rounds/games/catalogue.ts';
import { type GameSnapshot, takeSnapshot } from '../rounds/games/gameSnapshot.ts';
import { issuesText, loadGameAgain } from '../rounds/games/loadGames.ts';
import { type LiveChange, watchGames } from './liveGames.ts';
import { returnsText, stableLaunchUrl } from './welcome.ts';

/** `dev --report-to-parent` sends these to the process that started it. */
export type DevMessage =
  | { kind: 'ready'; url: string; gameID: string }
  | { kind: 'served'; gameID: string; version: string }
  /** The last good version stays served. */
  | { kind: 'refused'; folder: string; message: string };

export function sendToParent(message: DevMessage): void {
  process.send?.(message);
}

type WatchDeps = {
  /** They have the order of the catalogue's games. */
  folders: readonly string[];
  snapshots: readonly GameSnapshot[];
  catalogue: Catalogue;
  loading: Parameters<typeof loadGameAgain>[0];
  serverUrl: string;
  reportToParent: boolean;
};

/** Reads the files before they are loaded, so that no change meanwhile is missed. */
export async function snapshotsOf(folders: readonly string[]): Promise<GameSnapshot[]> {
  return Promise.all(folders.map(takeSnapshot));
}

/** Serves and prints each change in the folders. */
export function watchServed(deps: WatchDeps): Promise<{ close(): Promise<void> }> {
  const { folders, snapshots, catalogue, loading, serverUrl, reportToParent } = deps;
  const games = folders.flatMap((folder, index) => {
    const [served, snapshot] = [catalogue.games[index], snapshots[index]];
    return served && snapshot ? { folder, served, snapshot } : [];
  });
  return watchGames(games, {
    catalogue,
    load: (folder) => loadGameAgain(loading, folder),
    onChange(change) {
      console.log(changeText(change, serverUrl));
      if (reportToParent) sendToParent(messageOf(change));
    },
  });
}

/** Each watched folder has to be there at the start. */
export async function requireFolders(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) throw new StartError('--watch needs a folder: the one of your game.');
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory()) throw new StartError(`There is no folder ${folder} to watch.`);
  }
}

function messageOf(change: LiveChange): DevMessage {
  const { kind, folder, served } = change;
  if (kind === 'served') return { kind, gameID: served.gameID, version: served.version };
  return { kind: 'refused', folder, message: kind === 'incomplete' ? change.why : issuesText(change.outcome) };
}

/** Tells a person at the terminal about a change. */
function changeText(change: LiveChange, serverUrl: string): string {
  const { kind, served } = change;
  const name = `${served.gameID}, version ${served.version}`;
  if (kind === 'incomplete') return `\n${sentence(change.why)}: ${name}, stays served.`;
  if (kind === 'refused') return `\n${issuesText(change.outcome)}\nThe change is refused: ${name}, stays served.`;
  const { before, changed, seconds } = change;
  const isNew = served !== before;
  return [
    `\n${served.title}: ${name}${isNew ? `, served after ${seconds.toFixed(1)} s` : ' is served again'}`,
    `  RTP     ${returnsText(served, before)}`,
    ...(changed.length > 0 ? [`  changed ${changed.join(', ')}`] : []),
    `  launch  ${stableLaunchUrl(serverUrl, served)}`,
  ].join('\n');
}

/** A sentence starts with a capital letter; a file keeps its name. */
function sentence(text: string): string {
  return text.startsWith('the ') ? `T${text.slice(1)}` : text;
}

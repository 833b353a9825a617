import { GAME_ROUTES, replayResponseSchema } from '@roundhouse/contract';
import type { RoundBook } from '@roundhouse/contract/admin';
import { publicAddress } from '../../base/address.ts';
import { replayUrl } from '../../rounds/play/roundOnWire.ts';
import type { OperatorRoundRecord } from '../../store/operators/operatorRounds.ts';
import type { AdminDeps } from './adminDeps.ts';

/** A player's server that takes longer is busy: nobody waits for a book. */
const PATIENCE_MS = 5_000;

export type BookOutcome = { kind: 'book'; book: RoundBook } | { kind: 'not_served' } | { kind: 'away' };

/**
 * Reads the book of a round from the server for players: this process has no games. not_served:
 * that server no longer has the version. away: it does not respond.
 */
export async function readBook(players: AdminDeps['players'], round: OperatorRoundRecord): Promise<BookOutcome> {
  const { gameID, gameVersion, mode, bookID } = round;
  const names = { game: gameID, version: gameVersion, mode, event: String(bookID) };
  const path = GAME_ROUTES.replay.path.replace(/:(\w+)/g, (_all, name: keyof typeof names) =>
    encodeURIComponent(names[name]),
  );
  const frontend = `/${encodeURIComponent(gameID)}/${encodeURIComponent(gameVersion)}/`;
  const [response, page] = await Promise.all([get(players.url + path), get(players.url + frontend)]);
  if (response === undefined || page === undefined) return { kind: 'away' };
  if (response.status === 404) return { kind: 'not_served' };
  const read = replayResponseSchema.safeParse(response.body);
  if (!read.success) return { kind: 'away' };
  const { state, payoutMultiplier, costMultiplier } = read.data;
  const replayURL = page.status === 200 ? replayUrl(publicAddress(players.publicUrl), round) : null;
  return { kind: 'book', book: { bookID, events: state, payoutMultiplier, costMultiplier, replayURL } };
}

/**
 * Returns undefined when the server does not respond. The body is undefined when it is not JSON.
 */
async function get(url: string): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
    const text = await response.text();
    return {
      status: response.status,
      body: response.headers.get('content-type')?.includes('json') && JSON.parse(text),
    };
  } catch {
    return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import type { RecordableHistogram } from 'node:perf_hooks';
import { insist } from '@roundhouse/fault-injection';
import { REQUESTS_OF } from './benchGame.ts';
import { type Connection, headOf, openConnection, SUCCESS } from './connection.ts';
import type { Player } from './loops.ts';
import type { GameServer } from './servers.ts';

/** A player gives up after this time. A node refuses within 9 s. */
const LONGEST_PLAY_MS = 30_000;
/** One round in four pays its bet back. */
const ROUNDS_A_PAYOUT = 4;

/** A place is a node that can be restarted, with whether the players may go to it. */
export type Place = { node: GameServer; isReady: boolean };

/**
 * Counts what all players have met. `repeated` counts requests after a lost connection. `told` has
 * the betIDs of plays with a response.
 */
export type Met = { refused: number; repeated: number; lost: number; told: number[]; latencies: RecordableHistogram };

type Target = { path: string; fields: object };

/**
 * A player repeats a request with its Idempotency-Key until the response is certain, at a node that
 * is ready.
 */
export function soakPlayer(
  { places, met }: { places: readonly Place[]; met: Met },
  { sessionID, index }: { sessionID: string; index: number },
): Player {
  let connection: Connection | undefined;
  let connectedTo: Place | undefined;
  let rounds = index;
  const disconnect = () => {
    connection?.close();
    connection = undefined;
  };

  async function exchange({ path, fields }: Target, key: string): Promise<string> {
    const [home, other] = index % 4 < 2 ? [places[0], places[1]] : [places[1], places[0]];
    const place = (home?.isReady || !other?.isReady ? home : other) as Place;
    if (connectedTo !== place || connection?.isClosed()) disconnect();
    connection ??= await openConnection(place.node.url);
    connectedTo = place;
    const body = JSON.stringify({ sessionID, ...fields });
    const head = `${headOf(place.node.url, path)}Idempotency-Key: ${key}\r\n`;
    const request = `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const text = await connection.exchange(Buffer.from(request));
    if (/\r\nconnection: close\r\n/i.test(text)) disconnect();
    return text;
  }

  async function certain(target: Target): Promise<string | undefined> {
    const key = randomUUID();
    const attempt = async () => {
      const text = await exchange(target, key).catch(() => undefined);
      if (text?.startsWith(SUCCESS)) return text;
      if (text === undefined) {
        met.repeated += 1;
        disconnect();
      } else if (text.startsWith('HTTP/1.1 500 ')) met.refused += 1;
      else throw new Error(`${target.path} got ${text}`);
      return undefined;
    };
    const text = await insist(attempt, { patienceMs: LONGEST_PLAY_MS });
    if (text === undefined) met.lost += 1;
    return text;
  }

  return async (dueMs = performance.now()) => {
    const [play, ...endRound] = rounds++ % ROUNDS_A_PAYOUT === 0 ? REQUESTS_OF.round : REQUESTS_OF.play;
    const text = await certain(play);
    if (text === undefined) return false;
    met.latencies.record(Math.max(1, Math.round((performance.now() - dueMs) * 1000)));
    const betID = Number(/"betID":(\d+)/.exec(text)?.[1]);
    if (!Number.isSafeInteger(betID)) throw new Error(`no betID in ${text}`);
    met.told.push(betID);
    for (const request of endRound) if ((await certain(request)) === undefined) return false;
    return true;
  };
}

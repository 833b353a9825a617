import { hash } from 'node:crypto';
import { type Hmac, ticketOf } from '@roundhouse/fair';
import type { DrawnBook } from '@roundhouse/math';
import { LRUCache } from 'lru-cache';
import type { Outcome } from '../../base/refusal.ts';
import type { Database } from '../../store/database/database.ts';
import { openServerSeed } from '../../store/rounds/fairSeeds.ts';
import type { SessionFacts } from '../../store/rounds/sessions.ts';
import type { GameMode } from '../games/catalogue.ts';
import { startFairSeeds } from './fairSeeds.ts';

/**
 * The client seed and the nonce of a draw: the round is the nonce-th play under the server seed in
 * use.
 */
export type FairDraw = { clientSeedID: bigint; nonce: bigint };

/** Draws by the seeds of the player. */
export type FairDraws = {
  /**
   * Draws the book of the next play. Refused with client_seed_missing until the player has set a
   * client seed.
   * @throws SecretKeyError when the key of the server seed is not here.
   */
  next(session: SessionFacts, mode: GameMode): Promise<Outcome<FairDrawn>>;
};

/** `release` gives the draw up, when no round has the nonce, or another one has it. */
type FairDrawn = { book: DrawnBook; fair: FairDraw; release(): void };

/**
 * The seeds of an account as this node read them last, and its guess of the next nonce. The
 * database decides: open_rounds refuses a round of another client seed or nonce (decision 031). A
 * client seed has a different id under each server seed, so its id identifies both.
 */
type Remembered = {
  /** It contains the server seed. */
  hmac: Hmac;
  clientSeed: string;
  clientSeedID: bigint;
  next: bigint;
};

/**
 * The number of accounts is that of the sessions that a node remembers; each takes about 700 bytes.
 */
const MAX_REMEMBERED = 100_000;

export function createFairDraws(db: Database): FairDraws {
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  const inFlight = new Map<string, Promise<Remembered | undefined>>();

  /** Concurrent plays share one reading, because otherwise each would begin with the same nonce. */
  const read = (key: string, session: SessionFacts): Promise<Remembered | undefined> => {
    const reading = inFlight.get(key) ?? readSeeds(db, session).finally(() => inFlight.delete(key));
    inFlight.set(key, reading);
    return reading.then((known) => {
      if (known !== undefined && !remembered.has(key)) remembered.set(key, known);
      return remembered.get(key);
    });
  };

  return {
    async next(session, mode) {
      const key = keyOf(session);
      const known = remembered.get(key) ?? (await read(key, session));
      if (known === undefined) return { ok: false, refusal: 'client_seed_missing' };
      const { hmac, clientSeed, clientSeedID, next: nonce } = known;
      // The plays of an account open their rounds in the order in which they come here, so a
      // concurrent play takes the next nonce.
      known.next += 1n;
      const facts = {
        game: session.gameID,
        version: session.gameVersion,
        mode: mode.key,
        clientSeed,
        nonce: Number(nonce),
      };
      return {
        ok: true,
        book: mode.math.at(ticketOf(hmac, facts, mode.math.totalWeight)),
        fair: { clientSeedID, nonce },
        // No round has the nonce, or it is unknown whether one has: what this node remembers may be
        // wrong.
        release() {
          if (remembered.get(key) === known) remembered.delete(key);
        },
      };
    },
  };
}

/** An account belongs to one player and has one currency. */
function keyOf({ playerID, currency }: SessionFacts): string {
  return `${playerID}/${currency}`;
}

async function readSeeds(db: Database, session: SessionFacts): Promise<Remembered | undefined> {
  const state = await startFairSeeds(db, session);
  const { clientSeed, clientSeedID, sealedServerSeed, accountID, nonce } = state;
  if (clientSeed === undefined || clientSeedID === undefined) return undefined;
  const serverSeed = openServerSeed(db.secretKeys, sealedServerSeed, accountID);
  return { hmac: hmacUnder(serverSeed), clientSeed, clientSeedID, next: nonce };
}

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** Three names of a message have 64 bytes each, and its client seed has 256, at most. */
export const MOST_MESSAGE_BYTES = 1024;
/** The largest number of UTF-8 bytes that a UTF-16 unit takes. */
const MOST_BYTES_PER_UNIT = 3;
const inner = Buffer.alloc(BLOCK_BYTES + MOST_MESSAGE_BYTES);
const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES);
/** Each draw reads it before the next draw begins. */
const result = Buffer.alloc(HASH_BYTES);

/**
 * Returns HMAC-SHA-256 (RFC 2104) under a key of at most 64 bytes. Two calls of `hash` that return
 * a character for each byte take 1.3 µs. With buffers they take 2.6 µs, an object of `createHmac`
 * 2.8 µs, a copy of objects that have the key 6 µs, and the verifier's code 2.3 µs.
 * @throws RangeError for a longer key, and, at a draw, for a message of more than
 * MOST_MESSAGE_BYTES: the buffer would cut it, and the draw could not be checked.
 */
export function hmacUnder(key: Buffer): Hmac {
  if (key.length > BLOCK_BYTES) throw new RangeError(`a key of ${key.length} bytes: at most ${BLOCK_BYTES}`);
  const innerPad = Buffer.alloc(BLOCK_BYTES, 0x36);
  const outerPad = Buffer.alloc(BLOCK_BYTES, 0x5c);
  for (const [index, byte] of key.entries()) {
    innerPad[index] = 0x36 ^ byte;
    outerPad[index] = 0x5c ^ byte;
  }
  return (message) => {
    // Counting bytes takes time, and nearly every message is far shorter.
    if (message.length * MOST_BYTES_PER_UNIT > MOST_MESSAGE_BYTES && Buffer.byteLength(message) > MOST_MESSAGE_BYTES)
      throw new RangeError(`a message of more than ${MOST_MESSAGE_BYTES} bytes`);
    inner.set(innerPad);
    outer.set(outerPad);
    const end = BLOCK_BYTES + inner.write(message, BLOCK_BYTES);
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1');
    result.write(hash('sha256', outer, 'binary'), 'latin1');
    return result;
  };
}

import { createHmac, randomBytes } from 'node:crypto';
import { type DrawFacts, type Try, ticketOf } from '@roundhouse/fair';
import { createCryptoRandom, type MathMode } from '@roundhouse/math';

/** `nonces`: fair draws of one server seed. `seeds`: the first fair draw of each server seed. */
export const SOURCES = ['certified', 'nonces', 'seeds'] as const;
export type Source = (typeof SOURCES)[number];
export type FairSource = Exclude<Source, 'certified'>;

type Tickets = (totalWeight: bigint, onTry?: (attempt: Try) => void) => bigint;

/** Draws one ticket after the other. Nothing but the nonce or the server seed changes. */
export function fairTickets(source: FairSource, facts: Pick<DrawFacts, 'game' | 'version' | 'mode'>): Tickets {
  let serverSeed = randomBytes(32);
  let nonce = 0;
  const hmac = (message: string) => createHmac('sha256', serverSeed).update(message).digest();
  return (totalWeight, onTry) => {
    if (source === 'seeds') serverSeed = randomBytes(32);
    const drawn = ticketOf(hmac, { ...facts, clientSeed: 'battery', nonce }, totalWeight, onTry);
    if (source === 'nonces') nonce += 1;
    return drawn;
  };
}

/** Returns the positions that a mode draws, one after the other. */
export function positionsOf(mode: MathMode, { source, game }: { source: Source; game: string }): () => number {
  if (source === 'certified') {
    const random = createCryptoRandom();
    return () => mode.draw(random).position;
  }
  const tickets = fairTickets(source, { game, version: '1', mode: mode.key });
  return () => mode.at(tickets(mode.totalWeight)).position;
}

import { createHash } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import type { OpenRoundCommand } from '../../src/ledger/commands.ts';
import type { Database } from '../../src/ledger/database.ts';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { startSession } from '../../src/ledger/queries/startSession.ts';

export type LedgerPlayer = { playerID: bigint; sessionRowID: bigint };

/** The bet loses and closes at once. */
export const BET: Omit<OpenRoundCommand, keyof LedgerPlayer> = {
  mode: 'BASE',
  costMultiplier: '1',
  amount: toMicros(1_000_000),
  debit: toMicros(1_000_000),
  bookID: 1,
  payoutMultiplier: 0n,
  payout: toMicros(0),
  autoClose: true,
  minimumRoundDurationMs: 0,
  playKey: undefined,
  walletDown: false,
};

/** Makes players with a live session each, in an empty database without a server. */
export async function openPlayers(db: Database, count: number): Promise<LedgerPlayer[]> {
  await setOperator(db, 'house', {});
  const game = await db.game.create({ data: { code: 'game' } });
  await db.gameVersion.create({
    data: { gameId: game.id, version: '1.0.0', title: 'Game', mathSha256: '', currencies: ['USD'], jurisdiction: {} },
  });
  for (let index = 0; index < count; index += 1) {
    const started = await startSession(db, {
      tokenSha256: new Uint8Array(createHash('sha256').update(`player-${index}`).digest()),
      operatorCode: 'house',
      playerExternalID: `player-${index}`,
      currency: 'USD',
      gameID: 'game',
      gameVersion: '1.0.0',
      country: undefined,
      jurisdiction: {},
      openingBalance: toMicros(1_000_000_000),
      setBalanceTo: undefined,
    });
    if (!started.ok) throw new Error(started.refusal);
  }
  await db.session.updateMany({ data: { state: 'authenticated' } });
  const sessions = await db.session.findMany({ orderBy: { id: 'asc' } });
  return sessions.map(({ id, playerId }) => ({ sessionRowID: id, playerID: playerId }));
}

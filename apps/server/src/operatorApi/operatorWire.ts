import {
  buildReplayUrl,
  type CurrencyCode,
  DEFAULT_LANGUAGE,
  type OperatorGame,
  type OperatorRound,
  type RoundDetail,
} from '@roundhouse/contract';
import type { Catalogue } from '../games/catalogue.ts';
import type { HttpParts } from '../http/httpParts.ts';
import type { OperatorRoundRecord } from '../ledger/queries/operatorRounds.ts';
import type { RoundDetailRecord } from '../ledger/queries/roundDetail.ts';
import { writeCursor } from './operatorIDs.ts';

/** The current version of each game, in the currencies in which this operator may launch it (none named: all). */
export function operatorGames(catalogue: Catalogue, allowed: readonly CurrencyCode[]): OperatorGame[] {
  const current = catalogue.games.filter((game) => catalogue.current(game.gameID) === game);
  return current.map(({ gameID, version, title, currencies, modes, frontendFolder }) => ({
    gameID,
    version,
    title,
    currencies: currencies.filter((each) => allowed.length === 0 || allowed.includes(each)),
    modes: [...modes.keys()],
    hasFrontend: frontendFolder !== undefined,
  }));
}

export function wireOperatorRound(round: OperatorRoundRecord): OperatorRound {
  const { roundID, externalID, gameID, gameVersion, mode, currency, amount, debit, payout, state } = round;
  return {
    betID: Number(roundID),
    playerID: externalID,
    gameID,
    gameVersion,
    mode,
    currency,
    amount,
    debit,
    payout,
    state,
    openedAt: round.openedAt.toISOString(),
    closedAt: round.closedAt?.toISOString() ?? null,
  };
}

export function wireRoundDetail(parts: HttpParts, round: RoundDetailRecord): RoundDetail {
  return {
    ...wireOperatorRound(round),
    movements: round.movements.map((movement) => ({
      ...movement,
      createdAt: movement.createdAt.toISOString(),
      settledAt: movement.settledAt?.toISOString() ?? null,
      lastResponseAt: movement.lastResponseAt?.toISOString() ?? null,
      nextAttemptAt: movement.nextAttemptAt?.toISOString() ?? null,
    })),
    events: round.events.map(({ event, at }) => ({ event, at: at.toISOString() })),
    cursor: round.nextEvent === undefined ? null : writeCursor(round.nextEvent),
    replayURL: replayUrl(parts, round),
  };
}

/** For whoever looks at the round in the back office: their language and device are not the player's. */
function replayUrl({ catalogue, launch }: HttpParts, round: RoundDetailRecord): string | null {
  const { gameID, gameVersion, mode, bookID, amount, currency } = round;
  if (catalogue.find(gameID, gameVersion)?.frontendFolder === undefined) return null;
  return buildReplayUrl({
    gameHost: launch.gameHost,
    rgsUrl: launch.rgsUrl,
    language: DEFAULT_LANGUAGE,
    device: 'desktop',
    currency,
    game: gameID,
    version: gameVersion,
    mode,
    event: String(bookID),
    amount,
  });
}

import {
  type CurrencyCode,
  DEMO_ROUTES,
  demoContract,
  type Micros,
  mergeJurisdictionRules,
  mergeJurisdictions,
  payoutOf,
  toMicros,
} from '@roundhouse/contract';
import type { Random64 } from '@roundhouse/math';
import type { Router } from 'express';
import { bodyRouter, type Handlers } from '../../base/http/endpoints.ts';
import { type ErrorResponse, errorResponse, ok, refusalResponse } from '../../base/http/responses.ts';
import {
  type Catalogue,
  type GameMode,
  type GameVersion,
  isKnownCurrency,
  unknownCurrency,
} from '../games/catalogue.ts';
import { configOf } from './authenticate.ts';
import type { DemoRequest, DemoStops } from './demoStops.ts';
import { priceBet } from './play.ts';
import { roundJson, type ShownRound, showUnkept } from './round.ts';

export type DemoDeps = { catalogue: Catalogue; random: Random64; isOn: boolean; stopOf: DemoStops };

const PATHS = Object.values(DEMO_ROUTES).map(({ path }) => path);

/** Serves fun mode. It prices bets and draws books as play does; only the page knows the money. */
export function demoRouter(deps: DemoDeps): Router {
  return bodyRouter(PATHS, demoContract, demoHandlers(deps));
}

type Found = { game: GameVersion; refused?: never } | { game?: never; refused: ErrorResponse };

function demoHandlers({ catalogue, random, isOn, stopOf }: DemoDeps): Handlers<typeof demoContract> {
  /** Checks in the order of a play: maintenance comes before the rest. */
  async function find(request: DemoRequest): Promise<Found> {
    if (!isOn) return { refused: invalid('fun mode is off on this server') };
    const refusal = await stopOf(request);
    if (refusal !== undefined) return { refused: refusalResponse({ ok: false, refusal }) };
    const game = catalogue.find(request.game, request.version);
    return game === undefined ? { refused: invalid('there is no such game here') } : { game };
  }

  return {
    demoConfig: async ({ body }) => {
      const { game, refused } = await find({ game: body.game, version: body.version });
      if (refused !== undefined) return refused;
      const currency = body.currency ?? game.currencies[0] ?? '';
      const bets = game.betSettings(currency);
      if (bets === undefined || !game.currencies.includes(currency)) return notOfferedIn(catalogue, currency);
      return ok({ config: configOf(catalogue, { game, bets, currency, ...rulesOf(game, currency) }), currency });
    },

    demoPlay: async ({ body }) => {
      const { game, refused } = await find(body);
      if (refused !== undefined) return refused;
      const { currency, mode } = body;
      if (!game.currencies.includes(currency)) return notOfferedIn(catalogue, currency);
      const amount = toMicros(body.amount);
      const priced = priceBet(game, { currency, ...rulesOf(game, currency) }, { amount, mode });
      if (!priced.ok) return invalid(priced.detail);
      return { status: 200, json: ['{"round":', ...roundJson(drawRound(priced.mode, amount, random)), '}'] };
    },
  };
}

/** Draws a round that is not stored. */
function drawRound(mode: GameMode, amount: Micros, random: Random64): ShownRound {
  const book = mode.math.draw(random);
  const payout = payoutOf(amount, book.payoutMultiplier);
  // Loading the game has excluded this for every bet within the rules.
  if (payout === undefined) throw new Error(`${amount} × ${book.payoutMultiplier}/100 is not exact`);
  return showUnkept({ mode, book, amount, payout });
}

/** Returns the error, because a thrown one would look up maintenance in the database first. */
function invalid(message: string): ErrorResponse {
  return errorResponse('ERR_VAL', message);
}

function notOfferedIn(catalogue: Catalogue, currency: CurrencyCode): ErrorResponse {
  const isKnown = isKnownCurrency(catalogue, currency);
  return invalid(isKnown ? `the game is not offered in ${currency}` : unknownCurrency(currency));
}

/** Without operator and session, only the game has a jurisdiction. */
function rulesOf({ jurisdiction }: GameVersion, currency: CurrencyCode) {
  const { maxStake } = mergeJurisdictionRules(currency, jurisdiction);
  return { jurisdiction: mergeJurisdictions(jurisdiction), maxStake };
}

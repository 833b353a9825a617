import {
  type CurrencyCode,
  DEMO_ROUTES,
  demoContract,
  mergeJurisdictionRules,
  mergeJurisdictions,
  payoutOf,
  toMicros,
} from '@roundhouse/contract';
import type { Random64 } from '@roundhouse/math';
import type { Router } from 'express';
import type { Catalogue, GameVersion } from '../games/catalogue.ts';
import { bodyRouter, type Handlers } from '../http/endpoints.ts';
import { InvalidRequest } from '../http/readBody.ts';
import { ok } from '../http/responses.ts';
import { configOf } from './authenticate.ts';
import { priceBet } from './play.ts';
import { roundJson } from './round.ts';

export type DemoDeps = { catalogue: Catalogue; random: Random64; isOn: boolean };

const PATHS = Object.values(DEMO_ROUTES).map(({ path }) => path);

/** Fun mode: prices bets and draws books as play does, for money that only the page knows. */
export function demoRouter(deps: DemoDeps): Router {
  return bodyRouter(PATHS, demoContract, demoHandlers(deps));
}

function demoHandlers({ catalogue, random, isOn }: DemoDeps): Handlers<typeof demoContract> {
  function find({ game: gameID, version }: { game: string; version: string }) {
    if (!isOn) throw new InvalidRequest('fun mode is off on this server');
    const game = catalogue.find(gameID, version);
    if (game === undefined) throw new InvalidRequest('there is no such game here');
    return game;
  }

  return {
    demoConfig: async ({ body }) => {
      const game = find(body);
      const currency = body.currency ?? game.currencies[0] ?? '';
      const bets = game.betSettings(currency);
      if (bets === undefined || !game.currencies.includes(currency))
        throw new InvalidRequest(`the game is not offered in ${currency}`);
      return ok({ config: configOf(catalogue, { game, bets, currency, ...rulesOf(game, currency) }), currency });
    },

    demoPlay: async ({ body }) => {
      const game = find(body);
      const amount = toMicros(body.amount);
      const { currency } = body;
      if (!game.currencies.includes(currency)) throw new InvalidRequest(`the game is not offered in ${currency}`);
      const priced = priceBet(game, { currency, ...rulesOf(game, currency) }, { amount, mode: body.mode });
      if (!priced.ok) throw new InvalidRequest(priced.detail);
      const { mode } = priced;
      const book = mode.math.draw(random);
      const payout = payoutOf(amount, book.payoutMultiplier);
      // Excluded for every bet within the rules when the game was loaded.
      if (payout === undefined) throw new Error(`${amount} × ${book.payoutMultiplier}/100 is not exact`);
      const round = {
        roundID: 0n,
        mode: mode.key,
        costMultiplier: mode.costMultiplier,
        amount,
        payout,
        payoutMultiplier: book.payoutMultiplier,
        active: !(mode.autoClose && payout === 0),
        lastEvent: null,
        events: mode.math.readEvents(book.position),
      };
      return { status: 200, json: ['{"round":', ...roundJson(round), '}'] };
    },
  };
}

/** No operator and no session: the jurisdiction of the game alone. */
function rulesOf({ jurisdiction }: GameVersion, currency: CurrencyCode) {
  const { maxStake } = mergeJurisdictionRules(currency, jurisdiction);
  return { jurisdiction: mergeJurisdictions(jurisdiction), maxStake };
}

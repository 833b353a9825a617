import { toMicros } from '@roundhouse/contract';
import type { FaultSwitch } from '@roundhouse/fault-injection';
import { type Response, Router } from 'express';
import { giveFreeRounds, setBalance } from '../casino.ts';
import { setPlayerRules } from '../ledger/accounts.ts';
import type { Ledger } from '../ledger/database.ts';
import type { RgsClient } from '../rgsClient.ts';
import {
  forceSchema,
  freeRoundsSchema,
  playerParamsSchema,
  playerRulesSchema,
  setBalanceSchema,
} from './apiSchemas.ts';
import { InvalidRequest } from './errors.ts';

export type BenchDeps = {
  ledger: Ledger;
  rgs: RgsClient;
  /** The bench injects these faults into the wire of the wallet. */
  faults: FaultSwitch;
};

/**
 * Returns the studio bench, for local work only: balances, rules of players, faults and forced
 * outcomes.
 */
export function benchRouter({ ledger, rgs, faults }: BenchDeps): Router {
  const router = Router();

  router.post('/players/:playerID/balance', async (req, res) => {
    const { playerID } = playerParamsSchema.parse(req.params);
    const { currency, amount } = setBalanceSchema.parse(req.body);
    await setBalance(ledger, { playerID, currency }, BigInt(amount));
    res.json({ balance: toMicros(amount) });
  });

  router.put('/bench/players/:playerID', async (req, res) => {
    const { playerID } = playerParamsSchema.parse(req.params);
    const { currency, dailyLossLimit, ...rules } = playerRulesSchema.parse(req.body);
    const limit = typeof dailyLossLimit === 'number' ? BigInt(dailyLossLimit) : dailyLossLimit;
    const isSet = await setPlayerRules(ledger, { playerID, currency }, { ...rules, dailyLossLimit: limit });
    if (!isSet) throw new InvalidRequest('the player has no account in this currency', 404);
    res.json({ playerID, currency });
  });

  router
    .route('/bench/wallet-faults')
    .get((_req, res) => void res.json(faults.plan()))
    .put((req, res) => {
      const checked = faults.setPlan(req.body);
      if (!checked.ok) throw new InvalidRequest(checked.message);
      res.json(faults.plan());
    })
    .delete((_req, res) => {
      faults.clear();
      res.json(faults.plan());
    });

  /** Forwards the response of the game server. */
  const forward = async (res: Response, request: { method: string; path: string; body?: unknown }) => {
    const { status, body } = await rgs.forward(request);
    res.status(status).json(body ?? {});
  };
  const gameFaults = '/game/faults';
  router
    .route('/bench/game-faults')
    .get((_req, res) => forward(res, { method: 'GET', path: gameFaults }))
    .put((req, res) => forward(res, { method: 'PUT', path: gameFaults, body: req.body ?? {} }))
    .delete((_req, res) => forward(res, { method: 'DELETE', path: gameFaults }));

  router.get('/bench/https', (_req, res) => forward(res, { method: 'GET', path: '/game/https' }));

  // The game server checks it.
  router.post('/bench/parity', (req, res) => forward(res, { method: 'POST', path: '/game/parity', body: req.body }));

  router.post('/bench/free-rounds', async (req, res) => {
    res.json({ given: await giveFreeRounds({ rgs }, freeRoundsSchema.parse(req.body)) });
  });

  router.post('/bench/force', async (req, res) => {
    await forward(res, { method: 'POST', path: '/game/force', body: forceSchema.parse(req.body) });
  });

  // The game server checks it.
  router.post('/bench/books', (req, res) => forward(res, { method: 'POST', path: '/game/books', body: req.body }));
  return router;
}

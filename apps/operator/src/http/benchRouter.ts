import { toMicros } from '@roundhouse/contract';
import { Router } from 'express';
import { setBalance } from '../casino/players.ts';
import { setPlayerRules } from '../ledger/accounts.ts';
import { forceSchema, playerParamsSchema, playerRulesSchema, setBalanceSchema } from './apiSchemas.ts';
import type { HttpDeps } from './httpDeps.ts';
import { InvalidRequest } from './invalidRequest.ts';

/** The studio bench: local work only. It sets what in earnest only a cashier, a compliance officer or bad luck would. */
export function benchRouter({ books, rgs, faults }: HttpDeps): Router {
  const router = Router();

  router.post('/players/:playerID/balance', async (req, res) => {
    const { playerID } = playerParamsSchema.parse(req.params);
    const { currency, amount } = setBalanceSchema.parse(req.body);
    await setBalance(books, { playerID, currency }, BigInt(amount));
    res.json({ balance: toMicros(amount) });
  });

  router.put('/bench/players/:playerID', async (req, res) => {
    const { playerID } = playerParamsSchema.parse(req.params);
    const { currency, dailyLossLimit, ...rules } = playerRulesSchema.parse(req.body);
    const limit = typeof dailyLossLimit === 'number' ? BigInt(dailyLossLimit) : dailyLossLimit;
    const isThere = await setPlayerRules(books, { playerID, currency }, { ...rules, dailyLossLimit: limit });
    if (!isThere) throw new InvalidRequest('the player has no account in this currency', 404);
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

  const handOnFaults = async (method: string, body?: unknown) => rgs.handOn({ method, path: '/game/faults', body });
  router
    .route('/bench/game-faults')
    .get(async (_req, res) => answer(res, await handOnFaults('GET')))
    .put(async (req, res) => answer(res, await handOnFaults('PUT', req.body ?? {})))
    .delete(async (_req, res) => answer(res, await handOnFaults('DELETE')));

  router.post('/bench/force', async (req, res) => {
    const body = forceSchema.parse(req.body);
    answer(res, await rgs.handOn({ method: 'POST', path: '/game/force', body }));
  });
  return router;
}

type Answering = { status(code: number): { json(body: unknown): unknown } };

/** The server's own answer. */
function answer(res: Answering, { status, body }: { status: number; body: unknown }): void {
  res.status(status).json(body ?? {});
}

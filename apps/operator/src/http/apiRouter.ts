import { randomUUID } from 'node:crypto';
import { CURRENCY_CODES, LANGUAGES, toMicros } from '@roundhouse/contract';
import express, { Router } from 'express';
import { launch } from '../casino/launch.ts';
import { enter } from '../casino/players.ts';
import { findAccount, readBalances } from '../ledger/accounts.ts';
import { readStatement } from '../ledger/statement.ts';
import { answerApiErrors } from './apiErrors.ts';
import { enterSchema, launchSchema, playerParamsSchema, statementQuerySchema } from './apiSchemas.ts';
import { benchRouter } from './benchRouter.ts';
import type { HttpDeps } from './httpDeps.ts';
import { InvalidRequest } from './invalidRequest.ts';
import { localOnly, neverStored } from './localOnly.ts';
import { statementStream, wireEntry } from './statementStream.ts';

/** What the lobby page calls, below /api. */
export function apiRouter(deps: HttpDeps): Router {
  const { books, rgs, operator, bench, rgsUrl } = deps;
  const router = Router();
  router.use(localOnly(deps.hosts), neverStored, express.json({ limit: '16kb', inflate: false }));

  router.get('/lobby', async (_req, res) => {
    const games = await rgs.listGames();
    const offered = new Set<string>(games.flatMap((game) => game.currencies));
    const currencies = CURRENCY_CODES.filter((code) => offered.has(code));
    res.json({ operator, games, currencies, languages: Object.keys(LANGUAGES), bench, rgsUrl });
  });

  router.post('/players', async (req, res) => {
    const { playerID = `player-${randomUUID().slice(0, 8)}`, currency } = enterSchema.parse(req.body ?? {});
    const balances = await enter(books, { playerID, currency });
    res.json({
      playerID,
      balances: balances.map((account) => ({ currency: account.currency, balance: toMicros(account.balance) })),
    });
  });

  router.post('/launch', async (req, res) => {
    const request = launchSchema.parse(req.body);
    await requirePlayer(request.playerID);
    const { sessionID, url } = await launch(deps, request);
    res.json({ sessionID, url });
  });

  router.get('/players/:playerID/statement', async (req, res) => {
    const { playerID } = playerParamsSchema.parse(req.params);
    const { currency, limit, before } = statementQuerySchema.parse(req.query);
    await requirePlayer(playerID);
    const account = await findAccount(books.db, { playerID, currency });
    const rows = account === undefined ? [] : await readStatement(books.db, account.id, { limit, before });
    res.json({ currency, balance: toMicros(account?.balance ?? 0n), entries: rows.map(wireEntry) });
  });

  router.get('/players/:playerID/statement/stream', statementStream(deps));

  if (bench) router.use(benchRouter(deps));
  router.use(() => {
    throw new InvalidRequest('there is nothing at this path', 404);
  });
  router.use(answerApiErrors(deps));
  return router;

  async function requirePlayer(playerID: string): Promise<void> {
    if ((await readBalances(books.db, playerID)) === undefined)
      throw new InvalidRequest('there is no such player', 404);
  }
}

import { randomUUID } from 'node:crypto';
import { type CurrencyCode, KNOWN_CURRENCY_CODES, toMicros } from '@roundhouse/contract';
import express, { Router } from 'express';
import { type CasinoDeps, deposit, enter, launch, pagesOf } from '../casino.ts';
import { findAccount, readBalances } from '../ledger/accounts.ts';
import { readStatement } from '../ledger/statement.ts';
import { localOnly, noStore } from './access.ts';
import { depositSchema, enterSchema, launchSchema, playerParamsSchema, statementQuerySchema } from './apiSchemas.ts';
import { type BenchDeps, benchRouter } from './benchRouter.ts';
import { apiErrorHandler, InvalidRequest } from './errors.ts';
import { type StatementStreamDeps, statementStream, wireEntry } from './statementStream.ts';

export type ApiDeps = CasinoDeps &
  BenchDeps &
  StatementStreamDeps & {
    rgsUrl: string;
    /**
     * Players reach the server at these addresses, when `rgsUrl` is not for them. The first is
     * used.
     */
    gameOrigins: readonly string[];
    /** The lobby has these hosts in addition to the loopback ones. */
    hosts: readonly string[];
    /** Whether the routes of the studio bench exist. */
    bench: boolean;
    /** Games that are still being built. */
    beingBuilt: readonly { title: string; text: string }[];
  };

/** Returns the routes of the lobby page, below /api. */
export function apiRouter(deps: ApiDeps): Router {
  const { ledger, rgs, operator, bench, rgsUrl, gameOrigins } = deps;
  const router = Router();
  router.use(localOnly(deps.hosts), noStore, express.json({ limit: '16kb', inflate: false }));

  router.get('/lobby', async (_req, res) => {
    const { games, currencies: configured, languages } = await rgs.listGames();
    const offered = new Set(games.flatMap((game) => game.currencies));
    const order = [...KNOWN_CURRENCY_CODES, ...configured.map(({ code }) => code)];
    const currencies = order.filter((code) => offered.has(code));
    res.json({
      operator,
      games,
      currencies,
      configuredCurrencies: configured,
      languages,
      bench,
      beingBuilt: deps.beingBuilt,
      rgsUrl: gameOrigins[0] ?? rgsUrl,
    });
  });

  router.post('/players', async (req, res) => {
    const { playerID = `player-${randomUUID().slice(0, 8)}`, currency } = enterSchema.parse(req.body ?? {});
    await requireCurrency(currency);
    const balances = await enter(ledger, { playerID, currency });
    res.json({
      playerID,
      balances: balances.map((account) => ({ currency: account.currency, balance: toMicros(account.balance) })),
    });
  });

  router.post('/launch', async (req, res) => {
    const request = launchSchema.parse(req.body);
    await requirePlayer(request.playerID);
    // The browser has the page at this address; localOnly has checked both headers.
    const lobbyUrl = req.headers.origin ?? `http://${req.headers.host}`;
    const { sessionID, url } = await launch(deps, { ...request, ...pagesOf(lobbyUrl) });
    res.json({ sessionID, url });
  });

  router.post('/players/:playerID/deposits', async (req, res) => {
    const { playerID } = playerParamsSchema.parse(req.params);
    const { currency, amount } = depositSchema.parse(req.body);
    await requirePlayer(playerID);
    const balance = await deposit(ledger, { playerID, currency }, BigInt(amount));
    if (balance === undefined) throw new InvalidRequest('amount: the account cannot hold so much');
    res.json({ balance: toMicros(balance) });
  });

  router.get('/players/:playerID/statement', async (req, res) => {
    const { playerID } = playerParamsSchema.parse(req.params);
    const { currency, limit, before } = statementQuerySchema.parse(req.query);
    await requirePlayer(playerID);
    const account = await findAccount(ledger.db, { playerID, currency });
    const rows = account === undefined ? [] : await readStatement(ledger.db, account.id, { limit, before });
    res.json({ currency, balance: toMicros(account?.balance ?? 0n), entries: rows.map(wireEntry) });
  });

  router.get('/players/:playerID/statement/stream', statementStream(deps));

  if (bench) router.use(benchRouter(deps));
  router.use(() => {
    throw new InvalidRequest('there is nothing at this path', 404);
  });
  router.use(apiErrorHandler(deps));
  return router;

  async function requireCurrency(currency: CurrencyCode): Promise<void> {
    if (KNOWN_CURRENCY_CODES.includes(currency)) return;
    const { currencies } = await rgs.listGames();
    if (currencies.some(({ code }) => code === currency)) return;
    throw new InvalidRequest(`${currency} is neither a currency of ISO 4217 nor one of the game server`, 400);
  }

  async function requirePlayer(playerID: string): Promise<void> {
    const balances = await readBalances(ledger.db, playerID);
    if (balances === undefined) throw new InvalidRequest('there is no such player', 404);
  }
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Micros } from '@roundhouse/contract';
import { createFaultSwitch } from '@roundhouse/fault-injection';
import type { Aggregator, Grant, WalletApiResponse, World } from './aggregator.ts';
import { fromMicros, toMicrosOf } from './amounts.ts';
import { openBooks } from './books.ts';
import { respondToControl } from './control.ts';
import { createKeys } from './keys.ts';
import { listTransactions } from './listTransactions.ts';
import { createLobby, type LobbyOptions } from './lobby/lobby.ts';
import { isOwnRequest } from './ownRequests.ts';
import { type Quirk, withQuirks } from './quirks.ts';
import type { Simulator, WalletApiExchange } from './simulatorApi.ts';
import { createTokens } from './tokens.ts';

export type SimulatorOptions = {
  aggregator: Aggregator;
  /** `http://server/dialects/CODE`. Without it the simulator launches nothing until setSupplier. */
  supplierUrl?: string | undefined;
  /** The default is a free port. */
  port?: number | undefined;
  /** The simulator breaks in this one of the aggregator's ways. */
  broken?: string | undefined;
  isInstant?: boolean | undefined;
  /** The micros with which a player begins. The default is 1,000 units. */
  opening?: Micros | undefined;
  /** Serves a page for people at `/`. */
  lobby?: LobbyOptions | undefined;
};

const HOST = '127.0.0.1';
/** The wallet API is below it, the control API and the lobby beside it. */
const WALLET_PATH = '/wallet';
const DEFAULT_OPENING_MICROS = 1_000_000_000;
const KEPT_EXCHANGES = 50;
const MAX_BODY_BYTES = 256 * 1024;

/** Starts an HTTP server that plays the aggregator, in memory. */
export async function startSimulator({
  aggregator,
  supplierUrl = '',
  port = 0,
  broken,
  isInstant = false,
  opening = DEFAULT_OPENING_MICROS as Micros,
  lobby: lobbyOptions,
}: SimulatorOptions): Promise<Simulator> {
  if (broken !== undefined && !aggregator.breakages.includes(broken)) {
    throw new Error(`${aggregator.name} has no breakage ${broken}: ${aggregator.breakages.join(', ')}`);
  }
  const world: World = {
    books: openBooks(),
    supplierUrl,
    keys: createKeys(),
    tokens: createTokens(),
    broken,
    isInstant,
    grants: new Map(),
    memory: new Map(),
  };
  const faults = createFaultSwitch({
    paths: aggregator.paths,
    errorResponse: aggregator.errorResponse ?? ((code) => ({ status: 500, body: { error: code ?? 'error' } })),
  });
  const quirks = new Set<Quirk>();
  const exchanges: WalletApiExchange[] = [];
  let count = 0;
  const errors: unknown[] = [];

  async function respondToWallet(req: IncomingMessage): Promise<WalletApiResponse> {
    const request = { method: req.method ?? '', path: req.url ?? '', headers: req.headers, body: await readBody(req) };
    const response = await aggregator.respond(request, world).catch((error: unknown) => {
      errors.push(error);
      throw error;
    });
    if (!isInstant) {
      count += 1;
      exchanges.unshift({ number: count, at: new Date(), request, response });
      exchanges.length = Math.min(exchanges.length, KEPT_EXCHANGES);
    }
    return quirks.size === 0 ? response : { ...response, body: withQuirks(response.body, quirks) };
  }

  const answer = (res: ServerResponse, response: Promise<WalletApiResponse>) =>
    response.then(
      ({ status, headers, body }) =>
        res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers }).end(body),
      () => res.writeHead(500).end(),
    );

  async function respondToOthers(req: IncomingMessage): Promise<WalletApiResponse> {
    if (!isOwnRequest(req)) return { status: 403, body: '{"error":"only this machine and its own pages may ask"}' };
    return (await lobby?.respond(req, readBody)) ?? (await respondToControl(simulator, req, readBody));
  }

  const server = createServer((req, res) => {
    const { url = '/' } = req;
    if (!url.startsWith(`${WALLET_PATH}/`)) return void answer(res, respondToOthers(req));
    // A delivery of the fault switch goes to the whole URL.
    Object.assign(req, { originalUrl: url, url: url.slice(WALLET_PATH.length) });
    faults.handle(req, res, () => void answer(res, respondToWallet(req)));
  });
  server.listen(port, HOST);
  await once(server, 'listening');

  const openAccount = ({ player, currency }: { player: string; currency: string }) =>
    world.books.open(player, currency, fromMicros(opening, aggregator.scale(currency)));
  const origin = `http://${HOST}:${(server.address() as AddressInfo).port}`;

  const simulator: Simulator = {
    aggregator,
    origin,
    url: `${origin}${WALLET_PATH}`,
    settings: aggregator.settings(world).server,
    world,
    quirks,
    faults,
    openAccount,
    async launch(request) {
      openAccount(request);
      return await aggregator.launch(world, request);
    },
    async giveFreeRounds({ bet, betLevels, ...request }) {
      if (aggregator.giveFreeRounds === undefined) throw new Error(`${aggregator.name} has no free rounds`);
      openAccount(request);
      const inUnits = (amount: Micros) => fromMicros(amount, aggregator.scale(request.currency));
      if (betLevels) world.memory.set(`bet levels of ${request.gameID}`, betLevels.map(inUnits));
      const grant: Grant = { ...request, bet: inUnits(bet) };
      await aggregator.giveFreeRounds(world, grant);
      world.grants.set(grant.id, grant);
    },
    balance: (player, currency) => toMicrosOf(world.books.balance(player, currency), aggregator.scale(currency)),
    transactions: () => listTransactions(aggregator, world.books),
    exchanges: () => exchanges,
    prove() {
      if (errors.length > 0) throw errors[0];
      world.books.prove();
    },
    setSupplier(url) {
      world.supplierUrl = url;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  const lobby = lobbyOptions && createLobby(simulator, lobbyOptions);
  return simulator;
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error(`the body is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

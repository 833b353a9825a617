import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { toMicros } from '@roundhouse/contract';
import type { LaunchRequest, WalletApiResponse } from './aggregator.ts';
import { QUIRKS, type Quirk } from './quirks.ts';
import type { FreeRoundsRequest, Simulator } from './simulatorApi.ts';
import { SupplierRefusal } from './supplier.ts';

type Handler = (simulator: Simulator, input: Input) => unknown;
/** The body of a POST, or the query of a GET. */
type Input = Readonly<Record<string, unknown>>;

const ROUTES: Readonly<Record<string, Handler>> = {
  'POST /control/launch': async (simulator, input) => ({ url: await simulator.launch(input as LaunchRequest) }),
  async 'POST /control/free-rounds'(simulator, { id = randomUUID(), bet, endsAt, ...rest }) {
    const request = { ...rest, id, bet: toMicros(Number(bet)), endsAt: new Date(String(endsAt)) };
    await simulator.giveFreeRounds(request as FreeRoundsRequest);
    return { id };
  },
  async 'POST /control/cancel-free-rounds'({ aggregator, world }, { id }) {
    await aggregator.cancelFreeRounds?.(world, String(id));
    return {};
  },
  'POST /control/faults'({ faults }, plan) {
    const checked = faults.setPlan(plan);
    if (!checked.ok) throw new RangeError(checked.message);
    return { plan: faults.plan(), injected: faults.injected() };
  },
  /** From now on the wallet API has these quirks, and no others. */
  'POST /control/quirks'({ quirks }, { quirks: named }) {
    const wanted = named as Quirk[];
    const unknown = wanted.find((quirk) => !QUIRKS.includes(quirk));
    if (unknown !== undefined) throw new RangeError(`no wallet has the quirk ${unknown}: ${QUIRKS.join(', ')}`);
    quirks.clear();
    for (const quirk of wanted) quirks.add(quirk);
    return { quirks: wanted };
  },
  'POST /control/supplier'(simulator, { url }) {
    simulator.setSupplier(String(url));
    return {};
  },
  'POST /control/expire-token': ({ world }, { token }) => ({ expired: world.tokens.expire(String(token)) }),
  'GET /control/transactions': (simulator) => simulator.transactions(),
  'GET /control/balance': (simulator, { player, currency }) => ({
    balance: simulator.balance(String(player), String(currency)),
  }),
  'GET /control/prove'(simulator) {
    simulator.prove();
    return { ok: true };
  },
};

/**
 * Responds to a test in another process. Only JSON is taken, which a page of another origin cannot
 * send.
 */
export async function respondToControl(
  simulator: Simulator,
  req: IncomingMessage,
  readBody: (req: IncomingMessage) => Promise<Buffer>,
): Promise<WalletApiResponse> {
  const url = new URL(req.url ?? '/', 'http://localhost');
  const handler = ROUTES[`${req.method} ${url.pathname}`];
  if (handler === undefined) return json(404, { error: `there is no ${req.method} ${url.pathname}` });
  const isPost = req.method === 'POST';
  if (isPost && !req.headers['content-type']?.startsWith('application/json')) {
    return json(415, { error: 'the body must be JSON' });
  }
  try {
    const input: Input = isPost ? JSON.parse(String(await readBody(req))) : Object.fromEntries(url.searchParams);
    return json(200, await handler(simulator, input));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return json(error instanceof SupplierRefusal ? 502 : 400, { error: message });
  }
}

function json(status: number, value: unknown): WalletApiResponse {
  return { status, body: JSON.stringify(value) };
}

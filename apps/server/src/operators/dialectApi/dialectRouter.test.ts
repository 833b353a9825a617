import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { signSoftswiss } from '@roundhouse/dialects';
import { Overload } from '@roundhouse/service';
import express, { type ErrorRequestHandler } from 'express';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createAddressLimit } from '../../rounds/sessions/addressLimit.ts';
import type { CallingOperator } from '../../store/operators/operatorSecrets.ts';
import type { WalletOperator } from '../../store/operators/operators.ts';
import { type DialectDeps, dialectRouter } from './dialectRouter.ts';

const TOKEN = 'the token of the casino';
const PATH = '/dialects/acme/v2/a8r_provider.Launcher/Demo';
const BODY = JSON.stringify({ casino_id: 'casino', game: 'slot' });
const OVERLOADED = 503;

/** Serves the operator acme, whose wallet speaks SOFTSWISS. No request gets to a database. */
async function serve() {
  const lines: string[] = [];
  let refused = 0;
  const settings = { casinos: [{ id: 'casino', token: TOKEN }] };
  const wallet = { code: 'acme', dialect: 'softswiss', dialectSettings: settings, secrets: [] as string[] };
  const known = {
    caller: async () => ({ code: 'acme' }) as CallingOperator,
    wallet: async () => wallet as unknown as WalletOperator,
  };
  const deps = {
    db: { fleet: { cell: async () => undefined } },
    operators: { find: async (code: string) => ({ known: code === 'acme' ? known : undefined, isFresh: true }) },
    unsignedLimit: createAddressLimit('unsigned requests', 2),
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    signatureRefused: () => {
      refused += 1;
    },
    hasDemo: false,
  };
  const overload: ErrorRequestHandler = (error, _req, res, _next) => {
    res.status(error instanceof Overload ? OVERLOADED : 500).end();
  };
  const server = express()
    .use(dialectRouter(deps as unknown as DialectDeps), overload)
    .listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  return {
    ask: async (signature: string) =>
      (await fetch(url, { method: 'POST', body: BODY, headers: { 'x-request-sign': signature } })).status,
    counts: () => ({ lines: lines.length, refused }),
  };
}

it('an address gets and logs few responses a second without a signature; with one it gets all', async () => {
  const { ask, counts } = await serve();
  const unsigned = await Promise.all(['0', 'a', 'b', 'c'].map((digit) => ask(digit.repeat(64))));
  expect(unsigned.sort()).toEqual([403, 403, OVERLOADED, OVERLOADED]);
  // The significant event counts all of them.
  expect(counts()).toEqual({ lines: 2, refused: 4 });
  // Fun mode is off, but only a signed request learns that.
  for (const _each of [1, 2, 3]) expect(await ask(signSoftswiss(BODY, TOKEN))).toBe(400);
});

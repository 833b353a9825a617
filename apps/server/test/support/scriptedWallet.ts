import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { signatureIssue, WALLET_ERRORS, type WalletErrorCode } from '@roundhouse/contract';
import { expect } from 'vitest';

export const SECRET = 'a secret of at least thirty-two characters';
export const OPENING_BALANCE = 1_000_000_000;

type Body = Readonly<Record<string, any>>;
export type WalletCall = { path: string; body: Body };

/** What happens to a call in place of an honest answer. `done`: the wallet does its work first. */
export type Behaviour =
  | { kind: 'refuse'; code: WalletErrorCode }
  | { kind: 'answer'; status: number; text: string; done?: boolean }
  | { kind: 'cut'; done: boolean }
  | { kind: 'hang'; done: boolean }
  /** Runs first; then the call goes its honest way. */
  | { kind: 'before'; run: () => void | Promise<void> };

type Reply = { status: number; body: object };

/** An operator's wallet over real HTTP, in memory, which does what a test tells it to. A sessionID ends with its player: "acme:…:ann". */
export async function startScriptedWallet() {
  const balances = new Map<string, number>();
  const movements = new Map<string, { path: string; body: Body; undone?: boolean }>();
  const calls: WalletCall[] = [];
  const scripted: { path: string; behaviour: Behaviour; times: number }[] = [];
  const hanging = new Set<ServerResponse>();
  let extra: object = {};

  const balanceOf = (playerID: string) => balances.get(playerID) ?? OPENING_BALANCE;
  const ok = (playerID: string): Reply => ({ status: 200, body: { balance: balanceOf(playerID) } });
  const refuse = (code: WalletErrorCode): Reply => ({ status: WALLET_ERRORS[code].status, body: { error: code } });

  function work({ path, body }: WalletCall): Reply {
    if (path === '/authenticate') {
      const playerID = String(body.sessionID).split(':').at(-1) ?? '';
      if (playerID === 'nobody') return refuse('ERR_IS');
      return { status: 200, body: { playerID, currency: 'USD', balance: balanceOf(playerID), ...extra } };
    }
    if (path === '/balance') return ok(body.playerID);
    return move({ path, body });
  }

  function move({ path, body }: WalletCall): Reply {
    const known = movements.get(body.transactionID);
    if (known) {
      if (path !== known.path || !isDeepStrictEqual(body, known.body)) return refuse('ERR_DUP');
      return known.undone ? refuse('ERR_VAL') : ok(body.playerID);
    }
    const debit = movements.get(body.debitTransactionID);
    if (path !== '/debit' && debit?.path !== '/debit') {
      if (path === '/rollback') movements.set(body.debitTransactionID, { path: 'none', body: {} });
      return refuse('ERR_BNF');
    }
    if (path === '/debit' && body.amount > balanceOf(body.playerID)) return refuse('ERR_IPB');
    if (path !== '/debit' && debit?.undone) return refuse('ERR_VAL');
    const moved = path === '/debit' ? -body.amount : path === '/credit' ? body.amount : debit?.body.amount;
    if (path === '/rollback' && debit) debit.undone = true;
    movements.set(body.transactionID, { path, body });
    balances.set(body.playerID, balanceOf(body.playerID) + moved);
    return ok(body.playerID);
  }

  async function respond(req: IncomingMessage, res: ServerResponse) {
    const raw = Buffer.concat(await req.toArray()).toString();
    const { method = '', url: path = '', headers } = req;
    const fault = await signatureIssue(
      { direction: 'to-operator', method, path, body: raw },
      { headers, secrets: [SECRET], nowSeconds: Math.floor(Date.now() / 1000) },
    );
    if (fault) return send(res, { status: 401, body: { error: 'ERR_VAL', message: fault } });
    const call = { path, body: JSON.parse(raw) as Body };
    calls.push(call);
    const behaviour = take(call.path);
    if (behaviour?.kind === 'before') await behaviour.run();
    if (behaviour === undefined || behaviour.kind === 'before') return send(res, work(call));
    if (behaviour.kind === 'refuse') return send(res, refuse(behaviour.code));
    if (behaviour.done) work(call);
    if (behaviour.kind === 'answer') return void res.writeHead(behaviour.status).end(behaviour.text);
    if (behaviour.kind === 'cut') return void req.socket.destroy();
    hanging.add(res);
  }

  function send(res: ServerResponse, { status, body }: Reply) {
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  function take(path: string): Behaviour | undefined {
    const found = scripted.find((each) => each.path === path && each.times > 0);
    if (found) found.times -= 1;
    return found?.behaviour;
  }

  const server = createServer((req, res) => void respond(req, res));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    callsTo: (path: string) => calls.filter((call) => call.path === path).map(({ body }) => body),
    balanceOf,
    setBalance: (playerID: string, balance: number) => void balances.set(playerID, balance),
    /** The next call to this path, or so many. */
    next(path: string, behaviour: Behaviour, times = 1) {
      scripted.push({ path, behaviour, times });
    },
    /** What authenticate says besides. */
    tell(more: object) {
      extra = more;
    },
    forget() {
      scripted.length = 0;
      calls.length = 0;
    },
    /** Every debit has at most one outcome, and each id has moved once: by construction. This says what each came to. */
    outcomeOf(debitID: string): 'untouched' | 'taken' | 'paid' | 'given back' {
      const debit = movements.get(debitID);
      if (debit?.path !== '/debit') return 'untouched';
      if (debit.undone) return 'given back';
      const isPaid = [...movements.values()].some(
        (each) => each.path === '/credit' && each.body.debitTransactionID === debitID,
      );
      return isPaid ? 'paid' : 'taken';
    },
    expectNothingScripted() {
      expect(scripted.filter(({ times }) => times > 0 && times < 1000)).toEqual([]);
    },
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

export type ScriptedWallet = Awaited<ReturnType<typeof startScriptedWallet>>;

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { type Behaviour, type FakeWallet, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../../test/support/roundhouse.ts';
import type { WalletOperator } from '../../../store/operators/operators.ts';
import { createWalletClient, type WalletObserver } from './walletClient.ts';

const ROUND = { roundID: '1', playerID: 'ann', gameID: 'g', currency: 'USD' } as const;
const DEBIT = { ...ROUND, transactionID: crypto.randomUUID(), sessionID: 'acme:ann', amount: 1, mode: 'BASE' } as const;
const BALANCE = { sessionID: 'acme:ann', playerID: 'ann', gameID: 'g', currency: 'USD' } as const;
const PAUSED = { kind: 'not_sent', detail: 'requests are paused after failures in a row' };

const opened: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of opened.splice(0)) await close();
});

function newClient(observe?: WalletObserver) {
  const client = createWalletClient(observe && { observe });
  opened.push(() => client.close());
  return client;
}

async function newWallet(secret = 'the first secret'): Promise<FakeWallet> {
  const wallet = await startFakeWallet({ anyPlayer: true, secret });
  opened.push(() => wallet.close());
  return wallet;
}

function operatorAt(url: string, timeoutMs = 60_000): WalletOperator {
  const settings = { defaultGame: undefined, launchedOnly: false, isDisabled: false };
  const dialect = { dialect: 'roundhouse', dialectSettings: {}, closingDebits: false, keepsTokens: false };
  return {
    operatorID: 1,
    code: 'acme',
    url,
    secrets: ['the first secret', 'the next secret'],
    timeoutMs,
    ...settings,
    ...dialect,
  };
}

async function listening<Server extends net.Server>(server: Server, scheme: string): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  opened.push(() => server.close());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('signs with the first secret, below the base URL, and reports each request', async () => {
  const seen: Parameters<WalletObserver>[0][] = [];
  const client = newClient((request) => seen.push(request));
  const wallet = await newWallet();
  const result = await client.send(operatorAt(`${wallet.url}//`), 'debit', DEBIT);
  const body = { balance: wallet.balanceOf('ann'), reference: `own ${DEBIT.transactionID}` };
  expect(result).toEqual({ kind: 'accepted', httpStatus: 200, body });
  expect(seen).toEqual([{ operator: 'acme', name: 'debit', result, ms: expect.any(Number) }]);
  expect(seen[0]?.ms).toBeLessThan(60_000);
  const stranger = await newWallet('another secret');
  const unsigned = await client.send({ ...operatorAt(stranger.url), operatorID: 2 }, 'debit', DEBIT);
  expect(unsigned).toMatchObject({ httpStatus: 401 });
});

const responds = (status: number, text: string): Behaviour => ({ kind: 'response', status, text });
const invalid = (detail: string) => ({ code: 'invalid_response', detail });
it.each<[string, Behaviour, object]>([
  ['no response in time', { kind: 'hang', done: false }, { code: 'timeout', detail: 'time-out' }],
  ['a dropped connection', { kind: 'cut', done: false }, { code: 'connection_failed', detail: 'UND_ERR_SOCKET' }],
  ['more than 4 MB', responds(200, `{"balance":5}${' '.repeat(2 ** 22)}`), invalid('the response is too long')],
  [
    'a balance in another currency',
    responds(200, '{"balance":5,"currency":"EUR"}'),
    { httpStatus: 200, ...invalid('another currency') },
  ],
  ['a redirect, not followed', responds(302, ''), { httpStatus: 302, ...invalid('status 302 without a code') }],
])('%s leaves it uncertain whether money moved', async (_, behaviour, result) => {
  const wallet = await newWallet();
  wallet.next('/debit', behaviour);
  const timeoutMs = behaviour.kind === 'hang' ? 300 : 60_000;
  const uncertain = await newClient().send(operatorAt(wallet.url, timeoutMs), 'debit', DEBIT);
  expect(uncertain).toEqual({ kind: 'uncertain', ...result });
});

describe('a request on a used connection that ends without a byte of a response', () => {
  const AGAIN = { ...DEBIT, transactionID: crypto.randomUUID() };
  const CREDIT = { ...ROUND, transactionID: crypto.randomUUID(), debitTransactionID: DEBIT.transactionID } as const;
  const lost = { kind: 'uncertain', code: 'connection_failed', detail: 'UND_ERR_SOCKET' };

  /** undici reuses a connection from the next turn of the event loop on. */
  const connectionIsFree = () => new Promise(setImmediate);

  /** Its connection for transactions has already served a debit. */
  async function used() {
    const wallet = await newWallet();
    const [client, operator] = [newClient(), operatorAt(wallet.url)];
    await client.send(operator, 'debit', DEBIT);
    await connectionIsFree();
    return { wallet, send: (body: typeof DEBIT) => client.send(operator, 'debit', body), client, operator };
  }

  it.each([true, false])('is sent once more on a new one: a debit is taken once (done before: %s)', async (done) => {
    const { wallet, send } = await used();
    const before = wallet.balanceOf('ann');
    wallet.next('/debit', { kind: 'drop', done });
    expect(await send(AGAIN)).toMatchObject({ kind: 'accepted', body: { balance: before - 1 } });
    expect(wallet.callsTo('/debit')).toEqual([DEBIT, AGAIN, AGAIN]);
  });

  it.each<[string, Behaviour]>([
    ['is lost as well', { kind: 'drop', done: false }],
    // The first one may have taken the money that is missing.
    ['is refused', { kind: 'refuse', code: 'ERR_IPB' }],
    ['is refused by a wallet that takes a nonce once', { kind: 'response', status: 401, text: '{}' }],
  ])('leaves a debit uncertain when the second one %s, and there is no third', async (_, behaviour) => {
    const { wallet, send } = await used();
    wallet.next('/debit', { kind: 'drop', done: true });
    wallet.next('/debit', behaviour);
    expect(await send(AGAIN)).toEqual(lost);
    expect(wallet.callsTo('/debit')).toHaveLength(3);
  });

  it('has the result of the second one when it is not a debit', async () => {
    const { wallet, client, operator } = await used();
    wallet.next('/credit', { kind: 'drop', done: false });
    wallet.next('/credit', { kind: 'refuse', code: 'ERR_MAINTENANCE' });
    const credit = { ...CREDIT, amount: 1, roundClosed: true };
    expect(await client.send(operator, 'credit', credit)).toMatchObject({ kind: 'refused', code: 'ERR_MAINTENANCE' });
  });

  it('is signed anew', async () => {
    const nonces: unknown[] = [];
    const server = createServer((req, res) => {
      nonces.push(req.headers['x-roundhouse-nonce']);
      if (nonces.length === 2) req.socket.destroy();
      else res.end('{"balance":5}');
    });
    const [client, operator] = [newClient(), operatorAt(await listening(server, 'http'))];
    opened.unshift(() => server.closeAllConnections());
    for (const body of [DEBIT, AGAIN]) {
      expect(await client.send(operator, 'debit', body)).toMatchObject({ kind: 'accepted' });
      await connectionIsFree();
    }
    expect(new Set(nonces).size).toBe(3);
  });

  it('is not sent again on a new connection', async () => {
    const wallet = await newWallet();
    wallet.next('/debit', { kind: 'drop', done: false });
    expect(await newClient().send(operatorAt(wallet.url), 'debit', DEBIT)).toEqual(lost);
    expect(wallet.callsTo('/debit')).toEqual([DEBIT]);
  });
});

it('the time-out covers the body of the response', async () => {
  const server = createServer((_req, res) => void res.writeHead(200).write('{"balance":'));
  const url = await listening(server, 'http');
  opened.unshift(() => server.closeAllConnections());
  expect(await newClient().send(operatorAt(url, 300), 'debit', DEBIT)).toMatchObject({ code: 'timeout' });
});

it('after ten failures in a row requests are paused for two seconds, then one request tries the operator', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const wallet = await newWallet();
  const [client, operator] = [newClient(), operatorAt(wallet.url)];
  const debits = async (count: number) => {
    for (let sent = 0; sent < count; sent += 1) await client.send(operator, 'debit', DEBIT);
    return { arrived: wallet.callsTo('/debit').length, isDown: client.isDown(operator) };
  };
  const failures = async (count: number) => {
    wallet.next('/debit', { kind: 'refuse', code: 'ERR_UE' }, count);
    return debits(count);
  };
  expect(await failures(9)).toEqual({ arrived: 9, isDown: false });
  // A certain refusal is not a failure.
  wallet.next('/debit', { kind: 'refuse', code: 'ERR_IPB' });
  expect(await debits(1)).toEqual({ arrived: 10, isDown: false });
  expect(await failures(9)).toEqual({ arrived: 19, isDown: false });
  expect(await failures(1)).toEqual({ arrived: 20, isDown: true });

  expect(await client.send(operator, 'debit', DEBIT)).toEqual(PAUSED);
  // Requests that move no money have a separate breaker.
  expect((await client.send(operator, 'balance', BALANCE)).kind).toBe('accepted');
  expect((await client.send(operator, 'authenticate', { sessionID: 'ann', gameID: 'g' })).kind).toBe('accepted');
  vi.advanceTimersByTime(1_999);
  expect(client.isDown(operator)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(client.isDown(operator)).toBe(false);
  expect(await failures(1)).toEqual({ arrived: 21, isDown: true });
  vi.advanceTimersByTime(2_000);
  expect(await debits(2)).toEqual({ arrived: 23, isDown: false });
});

it('while one request tries an operator, all others are refused at once, and take no slot', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const waiting: ServerResponse[] = [];
  let isHanging = false;
  const server = createServer((_req, res) => void (isHanging ? waiting.push(res) : res.writeHead(500).end()));
  const operator = operatorAt(await listening(server, 'http'));
  const client = newClient();
  const send = () => client.send(operator, 'debit', DEBIT);
  for (let sent = 0; sent < 10; sent += 1) await send();
  expect(await send()).toEqual(PAUSED);
  isHanging = true;
  vi.advanceTimersByTime(2_000);
  const [trial, ...others] = Array.from({ length: 500 }, send);
  expect(new Set((await Promise.all(others)).map((result) => JSON.stringify(result)))).toEqual(
    new Set([JSON.stringify(PAUSED)]),
  );
  expect([client.isDown(operator), client.pools()]).toMatchObject([
    true,
    [{ inFlight: 1, waiting: 0, isPaused: true }],
  ]);
  await vi.waitFor(() => expect(waiting).toHaveLength(1), 100_000);
  waiting[0]?.end('{"balance":5}');
  expect(await trial).toMatchObject({ kind: 'accepted' });
  expect(client.isDown(operator)).toBe(false);
});

it('a request in one pool waits for no other pool, and is not sent when its connection comes too late', async () => {
  const AT_ONCE = 8;
  const waiting: ServerResponse[] = [];
  let received = 0;
  let isOpen = false;
  const server = createServer((req, res) => {
    const respond = () => res.end('{"playerID":"p","currency":"USD","balance":5}');
    if (req.url !== '/authenticate') return respond();
    received += 1;
    return isOpen ? respond() : waiting.push(res);
  });
  const operator = operatorAt(await listening(server, 'http'));
  const client = newClient();
  const authenticate = () =>
    client.send(operator, 'authenticate', { sessionID: 's', gameID: 'g' }, { sessionKind: 'unknown' });
  const first = Array.from({ length: AT_ONCE }, authenticate);
  await vi.waitFor(() => {
    // On a busy machine some connections are made too late.
    if (received < AT_ONCE) first.push(authenticate());
    expect(received).toBe(AT_ONCE);
  }, 100_000);
  const tooMany = { kind: 'not_sent', detail: 'too many requests to this operator at once' };
  // 256 may wait; the others fail at once.
  const late = Array.from({ length: 300 }, authenticate);
  let refused = 0;
  for (const each of late) void each.then(() => (refused += 1));
  expect(await authenticate()).toEqual(tooMany);
  expect(refused).toBeLessThan(late.length);
  expect((await client.send(operator, 'balance', BALANCE)).kind).toBe('accepted');
  expect((await client.send(operator, 'debit', DEBIT)).kind).toBe('accepted');
  expect(await Promise.all(late)).toEqual(late.map(() => tooMany));
  isOpen = true;
  for (const res of waiting) res.end('{"playerID":"p","currency":"USD","balance":5}');
  const kinds = (await Promise.all(first)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(AT_ONCE);
  expect(received).toBe(AT_ONCE);
  expect((await authenticate()).kind).toBe('accepted');
});

it('an operator is down while no further request that moves money may wait', async () => {
  const MOST = 128 + 1024;
  const waiting: ServerResponse[] = [];
  let isOpen = false;
  const respond = (res: ServerResponse) => res.end('{"balance":5}');
  const server = createServer((_req, res) => void (isOpen ? respond(res) : waiting.push(res)));
  const operator = operatorAt(await listening(server, 'http'));
  const client = newClient();
  const send = () => client.send(operator, 'debit', DEBIT);
  const sent = Array.from({ length: MOST - 1 }, send);
  expect(client.isDown(operator)).toBe(false);
  sent.push(send());
  expect(client.isDown(operator)).toBe(true);
  const pool = { operator: 'acme', pool: 'transactions', inFlight: 128, waiting: 1024, isPaused: false };
  expect(client.pools()).toEqual([pool]);
  await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0), 100_000);
  isOpen = true;
  for (const res of waiting) respond(res);
  await Promise.all(sent);
  // On a busy machine some connections are made too late, and requests are paused.
  await vi.waitFor(() => expect(client.isDown(operator)).toBe(false), 100_000);
});

it('a request that waits is sent when a connection is free', async () => {
  const wallet = await newWallet();
  const [client, operator] = [newClient(), operatorAt(wallet.url)];
  const authenticate = () =>
    client.send(operator, 'authenticate', { sessionID: 'ann', gameID: 'g' }, { sessionKind: 'unknown' });
  const results = await Promise.all(Array.from({ length: 9 }, authenticate));
  expect(results.map(({ kind }) => kind)).toEqual(results.map(() => 'accepted'));
});

it('a wallet that takes connections and never says hello is not sent a debit; one that refuses them may have got it', async () => {
  const sockets: net.Socket[] = [];
  const silent = net.createServer((socket) => void sockets.push(socket.on('error', () => {})));
  const url = await listening(silent, 'https');
  opened.unshift(() => {
    for (const socket of sockets) socket.destroy();
  });
  const client = newClient();
  const result = { kind: 'not_sent', detail: 'no connection in time' };
  expect(await client.send(operatorAt(url), 'debit', DEBIT)).toEqual(result);
  const refused = await client.send(operatorAt(`http://127.0.0.1:${await freePort()}`), 'debit', DEBIT);
  expect(refused).toEqual({ kind: 'uncertain', code: 'connection_failed', detail: 'ECONNREFUSED' });
});

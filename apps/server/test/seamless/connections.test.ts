import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { WalletOperator } from '../../src/ledger/queries/operators.ts';
import { createWalletClient, type WalletClient } from '../../src/wallets/seamless/walletClient.ts';

const CONNECTIONS = 128;
const DEBIT = {
  transactionID: '00000000-0000-4000-8000-000000000000',
  roundID: '1',
  sessionID: 's',
  playerID: 'p',
  gameID: 'g',
  currency: 'USD',
  amount: 1,
  mode: 'BASE',
} as const;

const operatorAt = (url: string): WalletOperator => ({
  operatorID: 1,
  code: 'acme',
  url,
  secrets: ['s'],
  timeoutMs: 60_000,
  defaultGame: undefined,
  launchedOnly: false,
  isDisabled: false,
});

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

function newClient(): WalletClient {
  const client = createWalletClient();
  opened.push(() => client.close());
  return client;
}

async function listening<Server extends net.Server>(server: Server, scheme: string): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  opened.push(() => server.close());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a debit that finds no connection in time is never sent, also not when there is one later', async () => {
  const waiting: ServerResponse[] = [];
  let received = 0;
  let isOpen = false;
  const answer = (res: ServerResponse) => res.end('{"balance":5}');
  const server = createServer((req, res) => {
    if (req.url === '/balance') return answer(res);
    received += 1;
    if (isOpen) answer(res);
    else waiting.push(res);
  });
  const operator = operatorAt(await listening(server, 'http'));
  const client = newClient();
  const debits = Array.from({ length: CONNECTIONS }, () => client.send(operator, 'debit', DEBIT));
  await vi.waitFor(() => {
    // On a busy machine some connections come about too late.
    if (received < CONNECTIONS) debits.push(client.send(operator, 'debit', DEBIT));
    expect(received).toBe(CONNECTIONS);
  }, 100_000);
  expect(await client.send(operator, 'debit', DEBIT)).toEqual({
    kind: 'not_sent',
    detail: 'too many requests to this operator at once',
  });
  // Questions have connections of their own.
  expect((await client.send(operator, 'balance', DEBIT)).kind).toBe('accepted');
  isOpen = true;
  for (const res of waiting) answer(res);
  const kinds = (await Promise.all(debits)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(CONNECTIONS);
  expect(received).toBe(CONNECTIONS);
  expect((await client.send(operator, 'debit', DEBIT)).kind).toBe('accepted');
});

test('a wallet that takes connections and never says hello is not sent a debit; one that refuses them may have got it', async () => {
  const sockets: net.Socket[] = [];
  const silent = net.createServer((socket) => void sockets.push(socket.on('error', () => {})));
  const url = await listening(silent, 'https');
  opened.unshift(() => {
    for (const socket of sockets) socket.destroy();
  });
  const client = newClient();
  expect(await client.send(operatorAt(url), 'debit', DEBIT)).toEqual({
    kind: 'not_sent',
    detail: 'no connection in time',
  });

  const gone = net.createServer();
  await once(gone.listen(0, '127.0.0.1'), 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  const refused = await client.send(operatorAt(`http://127.0.0.1:${port}`), 'debit', DEBIT);
  expect(refused).toEqual({ kind: 'uncertain', code: 'connection_failed', detail: 'ECONNREFUSED' });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { OPERATOR_HEADER, signCall } from '@roundhouse/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BOOK } from '../support/fixtureGame.ts';
import { useTestServer } from '../support/testServer.ts';
import { type Example, examplesOf, expectPromised } from './protocolExamples.ts';

const EXAMPLE_WALLET = fileURLToPath(new URL('../../../../docs/examples/minimalWallet.mjs', import.meta.url));
const OPERATOR_CODE = 'acme';
const SESSION_ID = 'acme:a-session-id';
const SECRET = randomUUID();

const server = useTestServer();
const examples = examplesOf('wallet-protocol.md');
let wallet: ChildProcess;
let walletUrl: string;

beforeAll(async () => {
  const child = spawn(process.execPath, [EXAMPLE_WALLET], {
    env: { PATH: process.env.PATH, SECRET, SESSION_ID, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  wallet = child;
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  walletUrl = /^Wallet: (\S+)$/m.exec(String(line))?.[1] ?? '';
  await server.db.operator.create({
    data: { code: OPERATOR_CODE, name: 'Acme', wallet: 'seamless', walletUrl, secrets: [SECRET] },
  });
});

afterAll(async () => {
  wallet.kill('SIGKILL');
  await once(wallet, 'close');
});

async function send({ method, path, body }: Example): Promise<{ status: number; body: unknown }> {
  const isOperatorApi = path.startsWith('/operator/');
  const direction = isOperatorApi ? 'to-rgs' : 'to-operator';
  const signed = await signCall(
    { direction, method, path, body: body ?? '' },
    { secret: SECRET, nowSeconds: Math.floor(Date.now() / 1000) },
  );
  const response = await fetch(`${isOperatorApi ? server.url : walletUrl}${path}`, {
    method,
    headers: { ...signed, [OPERATOR_HEADER]: OPERATOR_CODE },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, body: await response.json() };
}

// One after the other: the player who is launched plays the round that is listed, read and voided.
it.each(examples)('docs/wallet-protocol.md, $name', async (example) => {
  const actual = await send(example);
  expectPromised(actual, example);
  if (example.path !== '/operator/sessions') return;
  expect((await server.post('/wallet/authenticate', { sessionID: SESSION_ID })).status).toBe(200);
  expect((await server.playBook(SESSION_ID, BOOK.pays150)).status).toBe(200);
});

it('docs/wallet-protocol.md has examples', () => {
  expect(examples.length).toBeGreaterThan(15);
});

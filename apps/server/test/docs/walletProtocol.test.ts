import { OPERATOR_HEADER, signCall } from '@roundhouse/contract';
import { expect, it } from 'vitest';
import { BOOK } from '../support/fixtureGame.ts';
import { useTestServer } from '../support/testServer.ts';
import { EXAMPLE_WALLETS, SESSION_ID, useExampleWallet } from './exampleWallet.ts';
import { type Example, examplesOf, expectPromised } from './protocolExamples.ts';

const OPERATOR_CODE = 'acme';

const server = useTestServer();
const examples = examplesOf('wallet-protocol.md');
const wallet = useExampleWallet(server, EXAMPLE_WALLETS.JavaScript);

async function send({ method, path, body }: Example): Promise<{ status: number; body: unknown }> {
  const isOperatorApi = path.startsWith('/operator/');
  const direction = isOperatorApi ? 'to-rgs' : 'to-operator';
  const signed = signCall(
    { direction, method, path, body: body ?? '' },
    { secret: wallet.secret, nowSeconds: Math.floor(Date.now() / 1000) },
  );
  const response = await fetch(`${isOperatorApi ? server.url : wallet.url}${path}`, {
    method,
    headers: { ...signed, [OPERATOR_HEADER]: OPERATOR_CODE },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, body: await response.json() };
}

// They run in turn: the launched player plays the round that is listed, read and voided.
it.each(examples)('docs/wallet-protocol.md, $name', async (example) => {
  const actual = await send(example);
  expectPromised(actual, example);
  if (example.path !== '/operator/sessions') return;
  expect((await server.post('/wallet/authenticate', { sessionID: SESSION_ID })).status).toBe(200);
  expect((await server.playBook(SESSION_ID, BOOK.pays150)).status).toBe(200);
});

import { expect, it } from 'vitest';
import { isSignedWith, signatureOf } from './signature.ts';

// openssl dgst -sha256 -hmac TOKEN has computed the signatures.
const VECTORS: [body: string, token: string, signature: string][] = [
  [
    '{"account_id":"ann","currency":"EUR","game_id":"slot","session_id":"SID"}',
    'casino-token',
    '03675d04e142cd39078fd8efe5ad962754ba1e1eeb246f41f15bebfd2a2be348',
  ],
  ['', 'casino-token', '30adfcd8e648926d24efcb203b8ef13827b70d13aa2fbbd81b2c770356a97e82'],
  ['{"name":"Zoë 🎰"}', 'Töken', 'bdf6052f2810853d86c1a264e2c58d28d13385fabf524cee5ff8357208c070e8'],
  [
    '{"casino_id":"one","issue_id":"i-1"}',
    'token-of-one',
    'fe9f2e387fa993a8b48e3228b5b05c711d53379e085bd8b2f093cb04e450ac9d',
  ],
];

it.each(VECTORS)('the signature of %j is that of openssl', (body, token, signature) => {
  expect(signatureOf(body, token)).toBe(signature);
  expect(isSignedWith(token, { body: Buffer.from(body), signature })).toBe(true);
  const others = [undefined, '', [signature], `${signature} `, signature.slice(2), signatureOf(`${body} `, token)];
  for (const other of others) expect(isSignedWith(token, { body: Buffer.from(body), signature: other })).toBe(false);
});

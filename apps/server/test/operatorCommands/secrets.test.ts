import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/ledger/database.ts';
import { findWalletOperator } from '../../src/ledger/queries/operators.ts';
import { SecretKeyError } from '../../src/ledger/secretKeys.ts';
import { keptSecretsKey } from '../../src/local/dataFolder.ts';
import {
  expectOneLine,
  runRoundhouse,
  SECRETS_KEY,
  secretFile,
  succeed,
  temporaryFolder,
} from '../support/roundhouse.ts';
import { type Books, openBooks, SECRET } from './books.ts';

const NEXT_KEY = '8f'.repeat(32);
const COMMAND = fileURLToPath(new URL('../../bin/roundhouse.js', import.meta.url));
const wallet = ['--wallet-url', 'http://127.0.0.1:9'];

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const withKey = (key: string) => ({ env: { ...books.env, ROUNDHOUSE_SECRETS_KEY: key } });
const stored = async (code: string) => (await books.db.operator.findUniqueOrThrow({ where: { code } })).secrets;
/** It goes as far as its games, which are not there, when the secrets can be read. */
const serve = (key: string) => runRoundhouse(['serve', '--games', '/nowhere', '--port', '0'], withKey(key));
const NO_GAMES = /^The games folder \/nowhere cannot be read/m;

/** Reads the secrets as a node does that has these keys. */
async function secretsBy(secretsKey: string, code: string): Promise<readonly string[] | undefined> {
  const db = openDatabase({ url: books.url, connections: 1, secretsKey });
  try {
    return (await findWalletOperator(db, { code }))?.secrets;
  } finally {
    await db.$disconnect();
  }
}

it('serve needs no key as long as no operator has a secret', async () => {
  expectOneLine(await serve(''), NO_GAMES);
});

it('a secret stands encrypted in the database, and only its own operator can be given it', async () => {
  await succeed(
    ['operator', 'add', 'acme', ...wallet, '--secret-file', await secretFile(SECRET)],
    withKey(SECRETS_KEY),
  );
  await succeed(['operator', 'add', 'beta', ...wallet], withKey(SECRETS_KEY));
  const [text = ''] = await stored('acme');
  expect(text).toMatch(/^sealed:v1:[0-9a-f]{8}:/);
  expect(text).not.toContain(SECRET);
  expect(await secretsBy(SECRETS_KEY, 'acme')).toEqual([SECRET]);
  await books.db.operator.update({ where: { code: 'beta' }, data: { secrets: [text] } });
  await expect(secretsBy(SECRETS_KEY, 'beta')).rejects.toThrow(SecretKeyError);
  await books.db.operator.delete({ where: { code: 'beta' } });
});

it('the secret is read from the standard input too', () => {
  const args = [COMMAND, 'operator', 'set', 'acme', '--secret-file', '-'];
  const env = { PATH: process.env.PATH, ...withKey(SECRETS_KEY).env };
  const printed = execFileSync(process.execPath, args, { input: `${SECRET}\n`, env, encoding: 'utf8' });
  expect(printed).toMatch(/^ {2}secrets {12}1 \(3767…\)$/m);
});

it('without the key serve refuses to start, and no secret is written', async () => {
  expectOneLine(await serve(''), /^The secrets of operator acme are encrypted with key [0-9a-f]{8}, which is not here/);
  expectOneLine(await serve(NEXT_KEY), /^The secrets of operator acme are encrypted with key/);
  expectOneLine(await serve('short'), /^ROUNDHOUSE_SECRETS_KEY: a key is 64 hexadecimal digits/);
  const add = await runRoundhouse(['operator', 'add', 'keyless', ...wallet], withKey(''));
  expectOneLine(add, /^There is no key to encrypt secrets of operators with: set ROUNDHOUSE_SECRETS_KEY/);
  expect(await books.db.operator.findUnique({ where: { code: 'keyless' } })).toBeNull();
  expect(await succeed(['operator', 'list'], withKey(''))).toMatch(/^ {2}secrets {12}1 \(\?{4}…\)$/m);
});

it('a secret that somebody has written in plain text is encrypted when serve starts', async () => {
  await books.db.operator.create({ data: { code: 'plain', name: 'plain', secrets: [SECRET] } });
  expectOneLine(await serve(''), /^The secrets of operator acme/);
  expect(await stored('plain')).toEqual([SECRET]);
  expectOneLine(await serve(SECRETS_KEY), NO_GAMES);
  expect((await stored('plain'))[0]).toMatch(/^sealed:v1:/);
  expect(await books.secretsOf('plain')).toEqual([SECRET]);
});

it('the key is exchanged for another: both are good, then all is encrypted anew, then the old one is gone', async () => {
  const both = `${NEXT_KEY},${SECRETS_KEY}`;
  expect(await secretsBy(both, 'acme')).toEqual([SECRET]);
  const encrypt = ['operator', 'encrypt-secrets'];
  expectOneLine(
    await runRoundhouse(encrypt, withKey(NEXT_KEY)),
    /^The secrets of operator acme are encrypted with key/,
  );
  expect(await succeed(encrypt, withKey(both))).toBe('Encrypted: acme, plain.\n');
  expect(await succeed(encrypt, withKey(both))).toBe('Every secret was encrypted with the first key.\n');
  for (const code of ['acme', 'plain']) expect((await stored(code))[0]).toMatch(/^sealed:v1:/);
  expect(await secretsBy(NEXT_KEY, 'acme')).toEqual([SECRET]);
  expectOneLine(await serve(NEXT_KEY), NO_GAMES);
  expectOneLine(await serve(SECRETS_KEY), /^The secrets of operator acme are encrypted with key/);
});

it('roundhouse dev keeps a key of its own in its data folder, for its owner alone', async () => {
  const folder = await temporaryFolder('key');
  const key = await keptSecretsKey(folder);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(await keptSecretsKey(folder)).toBe(key);
  expect((await stat(path.join(folder, 'secrets.key'))).mode & 0o777).toBe(0o600);
});

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { changeOperator } from '../../../src/operators/settings/changeOperator.ts';
import { startFairSeeds } from '../../../src/rounds/fair/fairSeeds.ts';
import { secretKeysOf } from '../../../src/store/database/secretKeys.ts';
import { openServerSeed } from '../../../src/store/rounds/fairSeeds.ts';
import { serveRefusal } from '../../node/firstWorker.ts';
import { openPlayers } from '../../support/ledgerPlay.ts';
import { COMMAND, expectOneLine, runRoundhouse, SECRETS_KEY, succeed } from '../../support/roundhouse.ts';
import { SECRET, useBooks } from './books.ts';

// secretKeys.test.ts and queries/operators.test.ts in src/ledger test how secrets are encrypted.

const NEXT_KEY = '8f'.repeat(32);
const wallet = ['--wallet-url', 'http://127.0.0.1:9'];
const books = useBooks();

const withKey = (key: string) => ({ env: { ...books.env, ROUNDHOUSE_SECRETS_KEY: key } });
const stored = async (code: string) => (await books.db.operator.findUniqueOrThrow({ where: { code } })).secrets;
/** Gets as far as its games, which are not there, when it can read the secrets. */
const serve = (key: string) => serveRefusal({ ...withKey(key).env, ROUNDHOUSE_GAMES: '/nowhere' });
const NO_GAMES = /^The games folder \/nowhere cannot be read/m;
const OTHER_KEY = /^The secrets of operator acme are encrypted with key [0-9a-f]{8}, which is not here/;

it('serve needs no key as long as no operator has a secret and no draws are fair', async () => {
  expect(await serve('')).toMatch(NO_GAMES);
});

it('without a key serve refuses provably fair draws of an operator and of a game', async () => {
  const makeSecret = () => SECRET;
  const NO_KEY = /^The draws of (operator fair|version 1\.0\.0 of game a-game) are provably fair, and there is no key/;
  const setDraws = (draws: 'provablyFair' | null) =>
    changeOperator(books.db, { code: 'fair', kind: 'add_or_set', change: { draws }, makeSecret });
  await setDraws('provablyFair');
  expect(await serve('')).toMatch(NO_KEY);
  expect(await serve(SECRETS_KEY)).toMatch(NO_GAMES);
  await setDraws(null);
  await books.db.gameVersion.updateMany({ data: { draws: 'provably_fair' } });
  expect(await serve('')).toMatch(NO_KEY);
  await books.db.gameVersion.updateMany({ data: { draws: null } });
  expect(await serve('')).toMatch(NO_GAMES);
});

it('the secret is read from the standard input too', () => {
  const args = [COMMAND, 'operator', 'add', 'acme', ...wallet, '--secret-file', '-'];
  const env = { PATH: process.env.PATH, ...withKey(SECRETS_KEY).env };
  const printed = execFileSync(process.execPath, args, { input: `${SECRET}\n`, env, encoding: 'utf8' });
  expect(printed).toMatch(/^ {2}secrets {12}1 \(3767…\)$/m);
});

it('without the key serve refuses to start, and no secret is written', async () => {
  for (const key of ['', NEXT_KEY]) expect(await serve(key)).toMatch(OTHER_KEY);
  // The whole text: it does not hold the key.
  expect(await serve('short')).toBe(
    'ROUNDHOUSE_SECRETS_KEY: a key is 64 hexadecimal digits, as `openssl rand -hex 32` makes them; several stand with commas.',
  );
  const add = await runRoundhouse(['operator', 'add', 'keyless', ...wallet], withKey(''));
  expectOneLine(add, /^There is no key to encrypt secrets of operators with: set ROUNDHOUSE_SECRETS_KEY/);
  expect(await books.db.operator.findUnique({ where: { code: 'keyless' } })).toBeNull();
  expect(await succeed(['operator', 'list'], withKey(''))).toMatch(/^ {2}secrets {12}1 \(\?{4}…\)$/m);
});

it('a secret that somebody has written in plain text is encrypted when serve starts', async () => {
  await books.db.operator.create({ data: { code: 'plain', name: 'plain', secrets: [SECRET] } });
  expect(await serve('')).toMatch(OTHER_KEY);
  expect(await stored('plain')).toEqual([SECRET]);
  expect(await serve(SECRETS_KEY)).toMatch(NO_GAMES);
  expect((await stored('plain'))[0]).toMatch(/^sealed:v1:/);
});

it('the key is exchanged for another: both are good, then all is encrypted anew, then the old one is gone', async () => {
  const both = withKey(`${NEXT_KEY},${SECRETS_KEY}`);
  const encrypt = ['operator', 'encrypt-secrets'];
  expectOneLine(await runRoundhouse(encrypt, withKey(NEXT_KEY)), OTHER_KEY);
  expect(await succeed(encrypt, both)).toBe('Encrypted: acme, plain.\n');
  expect(await succeed(encrypt, both)).toBe('Every secret was encrypted with the first key.\n');
  expect(await serve(NEXT_KEY)).toMatch(NO_GAMES);
  expect(await serve(SECRETS_KEY)).toMatch(OTHER_KEY);
});

it('server seeds are encrypted anew too, and serve refuses to start without their key', async () => {
  const [player] = await openPlayers(books.db, 1);
  if (player === undefined) throw new Error('there is no player');
  const { accountID, sealedServerSeed } = await startFairSeeds(books.db, player);
  const seed = openServerSeed(secretKeysOf(SECRETS_KEY), sealedServerSeed, accountID);
  await books.db.operator.updateMany({ data: { secrets: [], wallet: 'house', dialectSettings: null } });
  const NO_SEEDS = /^The server seeds of account \d+ are encrypted with key [0-9a-f]{8}, which is not here/;
  for (const key of ['', NEXT_KEY]) expect(await serve(key)).toMatch(NO_SEEDS);
  const both = withKey(`${NEXT_KEY},${SECRETS_KEY}`);
  const encrypt = ['operator', 'encrypt-secrets'];
  expectOneLine(await runRoundhouse(encrypt, withKey(NEXT_KEY)), NO_SEEDS);
  expect(await succeed(encrypt, both)).toBe('Encrypted: 2 server seeds.\n');
  expect(await succeed(encrypt, both)).toBe('Every secret was encrypted with the first key.\n');
  const stored = await books.db.fairSeed.findFirstOrThrow({ where: { accountId: accountID }, orderBy: { seq: 'asc' } });
  expect(openServerSeed(secretKeysOf(NEXT_KEY), stored.sealedServerSeed, accountID)).toEqual(seed);
  expect(await serve(NEXT_KEY)).toMatch(NO_GAMES);
});

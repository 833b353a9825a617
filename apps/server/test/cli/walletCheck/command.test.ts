import { type FakeWallet, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { expect, it, onTestFinished } from 'vitest';
import { type Exit, expectOneLine, runRoundhouse, secretFile } from '../../support/roundhouse.ts';

async function openWallet(options?: Parameters<typeof startFakeWallet>[0]): Promise<FakeWallet> {
  const wallet = await startFakeWallet(options);
  onTestFinished(() => wallet.close());
  return wallet;
}

type Target = Pick<FakeWallet, 'url' | 'secret' | 'sessionID'>;

async function walletCheck({ url, secret, sessionID }: Target, more: readonly string[] = []): Promise<Exit> {
  const args = ['--secret-file', await secretFile(secret), '--session', sessionID];
  return runRoundhouse(['wallet-check', url, ...args, ...more]);
}

function expectNothingTold({ stdout, stderr }: Exit, { secret, sessionID, expiredSessionID }: FakeWallet): void {
  for (const hidden of [secret, sessionID, expiredSessionID]) expect(`${stdout}${stderr}`).not.toContain(hidden);
}

it('an honest wallet: exit code 0 and a line for each rule', async () => {
  const wallet = await openWallet();
  const options = ['--expired-session', wallet.expiredSessionID, '--bet', '2.50', '--free-rounds'];
  const exit = await walletCheck(wallet, options);
  expect(exit).toMatchObject({ code: 0, stderr: '' });
  expect(exit.stdout).toMatch(/^ {2}pass {2}debit\.exact {2,}\S/m);
  expect(exit.stdout).toMatch(/^ {2}pass {2}free\.winnings {2,}\S/m);
  expect(exit.stdout).toMatch(
    /^\d+ passed, 0 failed, 0 not testable\.\nThe balance of player-7 is as it was: \d+ micros\.\n$/m,
  );
  expectNothingTold(exit, wallet);
});

it('without a session the wallet is asked for one, and without an answer nothing is checked', async () => {
  const wallet = await openWallet();
  const args = ['wallet-check', wallet.url, '--secret-file', await secretFile(wallet.secret)];
  const exit = await runRoundhouse(args);
  expect(exit).toMatchObject({ code: 0, stderr: '' });
  expect(exit.stdout).toMatch(/^ {2}pass {2}authenticate\.expired-session /m);
  expectNothingTold(exit, wallet);
  wallet.next('/test-session', { kind: 'response', status: 404, text: '{}' });
  expectOneLine(await runRoundhouse(args), /^There is no session to check with: the wallet has no \/test-session/m);
});

it('an expired session that is named is checked, also when the wallet gives the live one', async () => {
  const wallet = await openWallet();
  const text = JSON.stringify({ sessionID: wallet.sessionID });
  wallet.next('/test-session', { kind: 'response', status: 200, text });
  const secret = ['--secret-file', await secretFile(wallet.secret)];
  const exit = await runRoundhouse([
    'wallet-check',
    wallet.url,
    ...secret,
    '--expired-session',
    wallet.expiredSessionID,
  ]);
  expect(exit.stdout).toMatch(/^ {2}pass {2}authenticate\.expired-session /m);
});

it('a broken wallet: exit code 1, the calls and the responses or with --json one object, no secret', async () => {
  const wallet = await openWallet({ broken: 'takes old signatures' });
  const [exit, json] = [await walletCheck(wallet), await walletCheck(wallet, ['--json'])];
  expect(exit).toMatchObject({ code: 1, stderr: '' });
  expect(exit.stdout).toMatch(
    /^ {2}FAIL {2}signature\.too-old .*\n {8}fail: .*expected 401\n {6}1 → POST \/balance, .*\n {8}← 200 .*\n {6}2 → POST \/debit, signed 315 s ago: \{.*\n {8}← 200 /m,
  );
  expect(exit.stdout).toMatch(
    /\nNot testable, because no --expired-session was given:\n {2}authenticate\.expired-session\n/,
  );
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, url: wallet.url });
  for (const each of [exit, json]) expectNothingTold(each, wallet);
});

it('nobody at the address is an error of one line', async () => {
  const wallet = await openWallet();
  await wallet.close();
  const exit = await walletCheck(wallet);
  expectOneLine(exit, /^The wallet at \S+ cannot be reached \(ECONNREFUSED\)\.$/m);
  expectNothingTold(exit, wallet);
});

it.each([
  ['ftp://wallet.example.com', []],
  ['https://somebody:s3cret@wallet.example.com', []],
  ['https://wallet.example.com/?key=s3cret', []],
  ['https://wallet.example.com', ['--bet', '0']],
])('%s %j is not taken', async (url, more) => {
  const exit = await walletCheck({ url, secret: 's', sessionID: 'a-session' }, more);
  expect(exit).toMatchObject({ code: 1, stdout: '' });
});

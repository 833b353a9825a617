import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectOneLine, runRoundhouse, secretFile, succeed } from '../support/roundhouse.ts';
import { type Books, openBooks, SECRET } from './books.ts';

let books: Books;

beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

/** Arguments in one text, in which `_` stands for a blank. */
const words = (args: string) => ['operator', ...args.split(' ').map((word) => word.replaceAll('_', ' '))];
const operator = (args: string) => succeed(words(args), { env: books.env });
const run = (args: string) => runRoundhouse(words(args), { env: books.env });
const expectRefused = async (args: string, line: RegExp) => expectOneLine(await run(args), line);
const row = (code: string) => books.db.operator.findUniqueOrThrow({ where: { code } });
const rowOrNone = (code: string) => books.db.operator.findUnique({ where: { code } });
const WALLET = '--wallet-url http://127.0.0.1:9';

describe('roundhouse operator', () => {
  it('add makes an operator with a wallet and shows its secret once', async () => {
    const printed = await operator('add acme --name Acme_Casino --wallet-url https://wallet.example/rgs/');
    const secret = /^Secret, shown this once: (\S{43})$/m.exec(printed)?.[1] ?? '';
    expect(await row('acme')).toMatchObject({
      name: 'Acme Casino',
      wallet: 'seamless',
      walletUrl: 'https://wallet.example/rgs',
      walletTimeoutMs: 5_000,
      isDefault: false,
    });
    expect(await books.secretsOf('acme')).toEqual([secret]);
    const listed = await operator('list');
    expect(listed).toMatch(/^acme: Acme Casino\n {2}wallet {13}https:\/\/wallet\.example\/rgs\n/);
    expect(listed).toMatch(/^ {2}secrets {12}1 \([0-9a-f]{4}…\)$/m);
    expect(listed).not.toContain(secret);
  });

  it('add refuses a code that is there, and set changes it', async () => {
    await operator('add twice');
    await expectRefused('add twice --name B', /^There is an operator twice\. Change it with/);
    expect(await operator('set twice --name B')).toMatch(/^twice: B\n {2}wallet {13}house\n {2}secrets {12}none$/m);
  });

  it('set refuses a code that is not there; add --or-set takes one that is', async () => {
    const line = /^There is no operator acem\. Make it with `roundhouse operator add acem`\.$/m;
    await expectRefused('set acem --max-bet USD=100', line);
    expect(await rowOrNone('acem')).toBeNull();
    await operator('add again --or-set --name A');
    expect(await operator('add again --or-set --name B')).toMatch(/^again: B$/m);
  });

  it('disable keeps an operator disabled until enable, whatever maintenance does', async () => {
    await operator('add closed');
    expect(await operator('disable closed')).toBe('Operator closed is disabled.\n');
    expect(await operator('list')).toMatch(/^closed: closed\n {2}state {14}disabled$/m);
    for (const state of ['off', 'on']) {
      const exit = await runRoundhouse(['maintenance', state, 'operator', 'closed'], { env: books.env });
      expectOneLine(exit, /^Operator closed is disabled\. Run `roundhouse operator enable closed`/);
    }
    expect(await books.db.maintenance.findMany()).toMatchObject([{ target: 'closed', level: 'nothing_at_all' }]);
    expect(await operator('enable closed')).toBe('Operator closed is enabled.\n');
    expect(await books.db.maintenance.count()).toBe(0);
    for (const name of ['disable', 'enable']) await expectRefused(`${name} nobody`, /^There is no operator nobody\.$/m);
  });

  it('every setting is stored, and only what is given is changed', async () => {
    const wallet = `${WALLET} --wallet-timeout 250 --secret-file ${(await secretFile(SECRET)).replaceAll(' ', '_')}`;
    const limits = '--max-bet USD=100 --max-bet EUR=90.50 --daily-wager-limit USD=500 --daily-loss-limit USD=1000';
    const sessions = '--default-game a-game --launched-only --currencies usd,_EUR';
    const printed = await operator(`add full ${wallet} ${limits} ${sessions}`);
    expect(printed).not.toContain('Secret, shown');
    expect(printed).not.toContain(SECRET);
    expect(printed).toContain(`
  wallet             http://127.0.0.1:9
  wallet time-out    250 ms
  secrets            1 (3767…)
  default game       a-game
  default operator   no
  sessions           launched ones only
  currencies         USD, EUR
  limits             EUR: bet 90.50
                     USD: bet 100.00, wager a day 500.00, loss a day 1000.00
`);
    const changed = await operator('set full --max-bet EUR=none --max-bet USD=0.5 --default-game none');
    expect(changed).toContain('limits             USD: bet 0.50, wager a day 500.00, loss a day 1000.00\n');
    expect(changed).not.toContain('EUR:');
    expect(await row('full')).toMatchObject({ walletTimeoutMs: 250, defaultGame: null, launchedOnly: true });
    expect(await books.secretsOf('full')).toEqual([SECRET]);
    expect(await operator('set full --currencies all')).toMatch(/^ {2}currencies {9}all$/m);
  });

  it('one operator at most is the default one, and its wallet can verify sessions', async () => {
    await operator(`add first ${WALLET} --default`);
    await operator(`add second ${WALLET}`);
    await expectRefused('set second --default', /^Operator first is the default one\. Run .*first --no-default/);
    await operator('set first --name still_the_default');
    expect((await row('first')).isDefault).toBe(true);
    await operator('set first --no-default');
    await operator('set second --default');
    expect((await row('second')).isDefault).toBe(true);
    await expectRefused('add house --default', /^Operator house has the house wallet, which cannot verify sessions/);
    expect(await rowOrNone('house')).toBeNull();
    expect(await operator('set second --wallet-url none')).toMatch(/^ {2}wallet {13}house$/m);
    expect(await row('second')).toMatchObject({ wallet: 'house', walletUrl: null, isDefault: false });
  });

  it('the wallet stays what it is once there are players, its address does not', async () => {
    await books.player(await books.seamlessOperator('busy', 'http://127.0.0.1:9'), 'anna');
    await expectRefused(
      'set busy --wallet-url none',
      /^Operator busy has players with accounts: its wallet cannot be changed/,
    );
    await operator('set busy --wallet-url http://127.0.0.1:10');
    expect(await row('busy')).toMatchObject({ wallet: 'seamless', walletUrl: 'http://127.0.0.1:10' });
    expect(await books.secretsOf('busy')).toEqual([SECRET]);

    const { id: operatorId } = await books.db.operator.create({ data: { code: 'casino', name: 'casino' } });
    const { id: playerId } = await books.db.player.create({ data: { operatorId, externalId: 'bert' } });
    const account = { kind: 'player', currency: 'USD', balanceMicros: 0n } as const;
    await books.db.account.create({ data: { operatorId, playerId, ...account } });
    await expectRefused(`set casino ${WALLET}`, /^Operator casino has players/);
    expect(await row('casino')).toMatchObject({ wallet: 'house', secrets: [] });
  });

  it.each([
    ['add Acme', /A code is 1 to 64 of a-z, 0-9 and "-"/],
    [`add ${'a'.repeat(65)}`, /A code is 1 to 64/],
    ['set acme --wallet-url ftp://x', /It begins with http/],
    ['set acme --wallet-url https://u:p@x', /no user, no password/],
    [`set acme --secret ${SECRET}`, /unknown option '--secret'/],
    [
      'set acme --secret-file /nowhere/to_be_found',
      /^The secret cannot be read from \/nowhere\/to be found: ENOENT\.$/m,
    ],
    ['set acme --wallet-timeout 99', /from 100 to 60000/],
    ['set acme --wallet-timeout 60001', /from 100 to 60000/],
    ['set acme --max-bet 100', /A limit is written like USD=100/],
    ['set acme --max-bet USD=-1', /An amount is written like 12\.50/],
    ['set acme --max-bet USD=1 --max-bet usd=2', /USD is given twice/],
    ['set acme --currencies USD,XXQ', /The currencies are/],
    ['rotate-secret acme --finish --cancel', /cannot be used with/],
    ['rotate-secret nobody', /^There is no operator nobody\.$/m],
  ])('%s is refused', expectRefused);

  it.each([
    ['short', /^A secret has 32 to 256 characters\.$/m],
    ['', /^A secret is one line of text, and not empty\.$/m],
    [`${SECRET}\n${SECRET}`, /^A secret is one line of text/m],
  ])('the secret %j is refused', async (secret, line) => {
    await expectRefused(`set acme --secret-file ${(await secretFile(secret)).replaceAll(' ', '_')}`, line);
  });

  it('rotate-secret adds a second secret, which then replaces the first or is dropped', async () => {
    await books.seamlessOperator('rotated', 'http://127.0.0.1:9');
    const begin = async () =>
      /^New secret of rotated, shown this once: (\S{43})$/m.exec(await operator('rotate-secret rotated'))?.[1] ?? '';
    const none = /^No rotation is under way: operator rotated has one secret\.$/m;
    await expectRefused('rotate-secret rotated --finish', none);
    await expectRefused('rotate-secret rotated --cancel', none);

    const dropped = await begin();
    expect(await books.secretsOf('rotated')).toEqual([SECRET, dropped]);
    expect(await operator('list')).toMatch(/^ {2}secrets {12}2 \(3767… signs, [0-9a-f]{4}… is the next one\)$/m);
    await expectRefused('rotate-secret rotated', /^Operator rotated has two secrets already: end that rotation/);
    const cancelled = await operator('rotate-secret rotated --cancel');
    expect(cancelled).toBe('The new secret of rotated is gone. The old one stays.\n');
    expect(await books.secretsOf('rotated')).toEqual([SECRET]);

    const kept = await begin();
    expect(kept).not.toBe(dropped);
    expect(await operator('rotate-secret rotated --finish')).toMatch(
      /signed with the new secret\. The old one is gone\.$/m,
    );
    expect(await books.secretsOf('rotated')).toEqual([kept]);
  });

  it('rotate-secret refuses an operator without a secret', async () => {
    await operator('add plain');
    await expectRefused('rotate-secret plain', /^Operator plain has no secret yet/);
  });
});

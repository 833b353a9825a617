import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOneLine, runRoundhouse, secretFile, succeed } from '../support/roundhouse.ts';
import { openBooks, SECRET, type Seamless } from './books.ts';

let books: Seamless;

beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const operator = (...args: string[]) => succeed(['operator', ...args], { env: books.env });
const refused = (...args: string[]) => runRoundhouse(['operator', ...args], { env: books.env });
const row = (code: string) => books.db.operator.findUniqueOrThrow({ where: { code } });

describe('roundhouse operator', () => {
  test('add makes an operator with a wallet and tells its secret once', async () => {
    const printed = await operator(
      'add',
      'acme',
      '--name',
      'Acme Casino',
      '--wallet-url',
      'https://wallet.example/rgs/',
    );
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

  test('add refuses a code that is there, and set changes it', async () => {
    await operator('add', 'twice');
    expectOneLine(await refused('add', 'twice', '--name', 'B'), /^There is an operator twice\. Change it with/);
    expect(await operator('set', 'twice', '--name', 'B')).toMatch(
      /^twice: B\n {2}wallet {13}house\n {2}secrets {12}none$/m,
    );
  });

  test('set refuses a code that is not there, and add takes one that is when it is told to', async () => {
    expectOneLine(
      await refused('set', 'acem', '--max-bet', 'USD=100'),
      /^There is no operator acem\. Make it with `roundhouse operator add acem`\.$/m,
    );
    expect(await books.db.operator.findUnique({ where: { code: 'acem' } })).toBeNull();
    await operator('add', 'again', '--or-set', '--name', 'A');
    expect(await operator('add', 'again', '--or-set', '--name', 'B')).toMatch(/^again: B$/m);
  });

  test('disable keeps an operator disabled until enable, whatever maintenance is asked for', async () => {
    const maintenance = (...args: string[]) => runRoundhouse(['maintenance', ...args], { env: books.env });
    await operator('add', 'closed');
    expect(await operator('disable', 'closed')).toBe('Operator closed is disabled.\n');
    expect(await operator('list')).toMatch(/^closed: closed\n {2}state {14}disabled$/m);
    for (const args of [
      ['off', 'operator', 'closed'],
      ['on', 'operator', 'closed'],
    ]) {
      expectOneLine(
        await maintenance(...args),
        /^Operator closed is disabled\. Run `roundhouse operator enable closed`/,
      );
    }
    expect(await books.db.maintenance.findMany()).toMatchObject([{ target: 'closed', level: 'nothing_at_all' }]);
    expect(await operator('enable', 'closed')).toBe('Operator closed is enabled.\n');
    expect(await books.db.maintenance.count()).toBe(0);
    for (const name of ['disable', 'enable']) {
      expectOneLine(await refused(name, 'nobody'), /^There is no operator nobody\.$/m);
    }
  });

  test('every setting is kept, and only what is given is changed', async () => {
    const settings = [
      ...[
        '--wallet-url',
        'http://127.0.0.1:9',
        '--secret-file',
        await secretFile(SECRET),
        '--wallet-timeout',
        '250',
        '--currencies',
        'usd, EUR',
      ],
      ...[
        '--default-game',
        'a-game',
        '--max-bet',
        'USD=100',
        '--max-bet',
        'EUR=90.50',
        '--daily-wager-limit',
        'USD=500',
      ],
      ...['--daily-loss-limit', 'USD=1000', '--launched-only'],
    ];
    const printed = await operator('add', 'full', ...settings);
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
    const changed = await operator(
      'set',
      'full',
      '--max-bet',
      'EUR=none',
      '--max-bet',
      'USD=0.5',
      '--default-game',
      'none',
    );
    expect(changed).toContain('limits             USD: bet 0.50, wager a day 500.00, loss a day 1000.00\n');
    expect(changed).not.toContain('EUR:');
    expect(await row('full')).toMatchObject({ walletTimeoutMs: 250, defaultGame: null, launchedOnly: true });
    expect(await books.secretsOf('full')).toEqual([SECRET]);
    expect(await operator('set', 'full', '--currencies', 'all')).toMatch(/^ {2}currencies {9}all$/m);
  });

  test('one operator at most is the default one, and it can be asked about sessions', async () => {
    await operator('add', 'first', '--wallet-url', 'http://127.0.0.1:9', '--default');
    await operator('add', 'second', '--wallet-url', 'http://127.0.0.1:9');
    expectOneLine(
      await refused('set', 'second', '--default'),
      /^Operator first is the default one\. Run .*first --no-default/,
    );
    await operator('set', 'first', '--name', 'still the default');
    expect((await row('first')).isDefault).toBe(true);
    await operator('set', 'first', '--no-default');
    await operator('set', 'second', '--default');
    expect((await row('second')).isDefault).toBe(true);
    expectOneLine(
      await refused('add', 'house', '--default'),
      /^Operator house has the house wallet, which cannot verify sessions/,
    );
    expect(await books.db.operator.findUnique({ where: { code: 'house' } })).toBeNull();
    expect(await operator('set', 'second', '--wallet-url', 'none')).toMatch(/^ {2}wallet {13}house$/m);
    expect(await row('second')).toMatchObject({ wallet: 'house', walletUrl: null, isDefault: false });
  });

  test('the wallet stays what it is once there are players, its address does not', async () => {
    const id = await books.seamlessOperator('busy', 'http://127.0.0.1:9');
    await books.player(id, 'anna');
    const line = /^Operator busy has players with accounts: its wallet cannot be changed/;
    expectOneLine(await refused('set', 'busy', '--wallet-url', 'none'), line);
    await operator('set', 'busy', '--wallet-url', 'http://127.0.0.1:10');
    expect(await row('busy')).toMatchObject({
      wallet: 'seamless',
      walletUrl: 'http://127.0.0.1:10',
    });
    expect(await books.secretsOf('busy')).toEqual([SECRET]);

    const house = await books.db.operator.create({ data: { code: 'casino', name: 'casino' } });
    const player = await books.db.player.create({ data: { operatorId: house.id, externalId: 'bert' } });
    await books.db.account.create({
      data: { operatorId: house.id, kind: 'player', playerId: player.id, currency: 'USD', balanceMicros: 0n },
    });
    expectOneLine(await refused('set', 'casino', '--wallet-url', 'http://127.0.0.1:9'), /^Operator casino has players/);
    expect(await row('casino')).toMatchObject({ wallet: 'house', secrets: [] });
  });

  test.each([
    [['add', 'Acme'], /A code is 1 to 64 of a-z, 0-9 and "-"/],
    [['add', 'a'.repeat(65)], /A code is 1 to 64/],
    [['set', 'acme', '--wallet-url', 'ftp://x'], /It begins with http/],
    [['set', 'acme', '--wallet-url', 'https://u:p@x'], /no user, no password/],
    [['set', 'acme', '--secret', SECRET], /unknown option '--secret'/],
    [
      ['set', 'acme', '--secret-file', '/nowhere/to be found'],
      /^The secret cannot be read from \/nowhere\/to be found: ENOENT\.$/m,
    ],
    [['set', 'acme', '--wallet-timeout', '99'], /from 100 to 60000/],
    [['set', 'acme', '--wallet-timeout', '60001'], /from 100 to 60000/],
    [['set', 'acme', '--max-bet', '100'], /A limit is written like USD=100/],
    [['set', 'acme', '--max-bet', 'USD=-1'], /An amount is written like 12\.50/],
    [['set', 'acme', '--max-bet', 'USD=1', '--max-bet', 'usd=2'], /USD is given twice/],
    [['set', 'acme', '--currencies', 'USD,XXQ'], /The currencies are/],
    [['rotate-secret', 'acme', '--finish', '--cancel'], /cannot be used with/],
  ])('%j is not taken', async (args, line) => {
    expectOneLine(await refused(...args), line);
  });
});

test.each([
  ['short', /^A secret has 32 to 256 characters\.$/m],
  ['', /^A secret is one line of text, and not empty\.$/m],
  [`${SECRET}\n${SECRET}`, /^A secret is one line of text/m],
])('the secret %j is not taken', async (secret, line) => {
  expectOneLine(await refused('set', 'acme', '--secret-file', await secretFile(secret)), line);
});

describe('roundhouse operator rotate-secret', () => {
  const rotate = (...args: string[]) => operator('rotate-secret', 'acme2', ...args);
  const rotationRefused = (...args: string[]) => refused('rotate-secret', 'acme2', ...args);
  const begin = async () => /^New secret of acme2, shown this once: (\S{43})$/m.exec(await rotate())?.[1] ?? '';
  const secrets = () => books.secretsOf('acme2');

  test('adds a second secret, which the end keeps or drops', async () => {
    await books.seamlessOperator('acme2', 'http://127.0.0.1:9');
    expectOneLine(await rotationRefused('--finish'), /^No rotation is under way: operator acme2 has one secret\.$/m);
    expectOneLine(await rotationRefused('--cancel'), /^No rotation is under way/);

    const dropped = await begin();
    expect(await secrets()).toEqual([SECRET, dropped]);
    expect(await operator('list')).toMatch(/^ {2}secrets {12}2 \(3767… signs, [0-9a-f]{4}… is the next one\)$/m);
    expectOneLine(await rotationRefused(), /^Operator acme2 has two secrets already: end that rotation/);
    expect(await rotate('--cancel')).toBe('The new secret of acme2 is gone. The old one stays.\n');
    expect(await secrets()).toEqual([SECRET]);

    const kept = await begin();
    expect(kept).not.toBe(dropped);
    expect(await rotate('--finish')).toMatch(
      /^Calls to acme2 are signed with the new secret\. The old one is gone\.$/m,
    );
    expect(await secrets()).toEqual([kept]);
  });

  test('says when there is nothing to exchange', async () => {
    await operator('add', 'plain');
    expectOneLine(await refused('rotate-secret', 'nobody'), /^There is no operator nobody\.$/m);
    expectOneLine(await refused('rotate-secret', 'plain'), /^Operator plain has no secret yet/);
  });
});

import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { PRESET_NAMES, presetJurisdiction } from '../../../src/operators/jurisdictions/presets.ts';
import { expectOneLine, secretFile, succeed } from '../../support/roundhouse.ts';
import { SECRET, useBooks } from './books.ts';

// src/store/operators/operators.test.ts tests what a change does and why one is refused.

const books = useBooks();
const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const KEYS = privateKey + publicKey;

/** Splits arguments in one text, in which `_` stands for a blank. */
const words = (args: string) => ['operator', ...args.split(' ').map((word) => word.replaceAll('_', ' '))];
const operator = (args: string) => books.succeed(...words(args));
const expectRefused = async (args: string, line: RegExp) => expectOneLine(await books.run(...words(args)), line);
const row = (code: string) => books.db.operator.findUniqueOrThrow({ where: { code } });
const fileWith = async (secret: string) => (await secretFile(secret)).replaceAll(' ', '_');
const WALLET = '--wallet-url http://127.0.0.1:9';

describe('roundhouse operator', () => {
  it('add makes an operator with a wallet and shows its secret once', async () => {
    const printed = await operator('add acme --name Acme_Casino --wallet-url https://wallet.example/rgs/');
    const secret = /^Secret, shown this once: (\S{43})$/m.exec(printed)?.[1] ?? '';
    expect(await books.secretsOf('acme')).toEqual([secret]);
    expect((await row('acme')).walletTimeoutMs).toBe(5_000);
    const listed = await operator('list');
    expect(listed).toMatch(/^acme: Acme Casino\n {2}wallet {13}https:\/\/wallet\.example\/rgs\n/);
    expect(listed).toMatch(/^ {2}secrets {12}1 \([0-9a-f]{4}…\)$/m);
    expect(listed).not.toContain(secret);
  });

  it('warns of a wallet without https that is not on this machine', async () => {
    for (const command of ['add plainly', 'set plainly']) {
      const { code, stderr } = await books.run(...words(`${command} --wallet-url http://wallet.example`));
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/^\nWarning: http:\/\/wallet\.example is not encrypted\./),
      ]);
    }
    for (const url of ['http://localhost:9', 'http://[::1]:9', 'https://wallet.example'])
      await operator(`set plainly --wallet-url ${url}`);
  });

  it('sets the preset of a jurisdiction, with the fields given beside it, and says which of them it overrides', async () => {
    const given = '{"disabledAutoplay":false,"displayRTP":true}';
    const printed = await operator(`add british --jurisdiction-preset uk --jurisdiction ${given}`);
    expect(printed).toMatch(/^Given in place of the preset uk: disabledAutoplay$/m);
    const uk = { ...presetJurisdiction('uk'), disabledAutoplay: false, displayRTP: true };
    expect((await row('british')).jurisdiction).toEqual(uk);
    // Without a name it is the strictest; what was overridden before is gone.
    expect(await operator('set british --jurisdiction-preset')).not.toContain('in place of');
    expect((await row('british')).jurisdiction).toEqual(presetJurisdiction('strictest'));
    await operator('set british --name British');
    expect((await row('british')).jurisdiction).toEqual(presetJurisdiction('strictest'));
    await expectRefused('set british --jurisdiction-preset mars', /The presets are uk, ontario, .*strictest\.$/m);
    expect((await row('british')).jurisdiction).toEqual(presetJurisdiction('strictest'));
  });

  it('prints the presets with the source of each value', async () => {
    const text = await succeed(['jurisdictions'], { env: {} });
    expect(text).toMatch(
      /^uk: Great Britain\n {2}disabledTurbo +true +RTS 14E, Gambling Commission.* \(2021-10-31, primary\)$/m,
    );
    expect(text).toMatch(/^strictest: .*$/m);
    const { presets } = JSON.parse(await succeed(['jurisdictions', '--json'], { env: {} }));
    expect(presets.map(({ name }: { name: string }) => name)).toEqual(PRESET_NAMES);
  });

  it('disable keeps an operator disabled until enable, whatever maintenance does', async () => {
    await operator('add closed');
    expect(await operator('disable closed')).toBe('Operator closed is disabled.\n');
    expect(await operator('list')).toMatch(/^closed: closed\n {2}state {14}disabled$/m);
    const refusal = /^Operator closed is disabled\. Run `roundhouse operator enable closed`/;
    for (const state of ['off', 'on']) await books.expectRefused(`maintenance ${state} operator closed`, refusal);
    expect(await books.db.maintenance.findMany()).toMatchObject([{ target: 'closed', level: 'nothing_at_all' }]);
    expect(await operator('enable closed')).toBe('Operator closed is enabled.\n');
    expect(await books.db.maintenance.count()).toBe(0);
  });

  it('add and set store every setting, and change only what is given', async () => {
    const wallet = `${WALLET} --wallet-timeout 250 --secret-file ${await fileWith(SECRET)}`;
    const limits = '--max-bet USD=100 --max-bet EUR=90.50 --daily-wager-limit USD=500 --daily-loss-limit USD=1000';
    const large = '--large-bet USD=10 --large-win USD=20 --large-daily-wager USD=30 --large-daily-win USD=40';
    const free = '--free-rounds --max-free-rounds 50 --max-grant-liability USD=60';
    const sessions =
      '--default-game a-game --launched-only --currencies usd,_EUR --languages it,nb --default --block-countries fi,SE';
    const printed = await operator(`add full ${wallet} --closing-debits ${limits} ${large} ${free} ${sessions}`);
    expect(printed).not.toContain('Secret, shown');
    expect(printed).not.toContain(SECRET);
    expect(printed).toContain(`
  wallet             http://127.0.0.1:9
  dialect            roundhouse
  wallet time-out    250 ms
  secrets            1 (3767…)
  lost rounds        closed by their debit
  default game       a-game
  default operator   yes
  sessions           launched ones only
  currencies         USD, EUR
  extra languages    it, no
  limits             EUR: bet 90.50
                     USD: bet 100.00, wager a day 500.00, loss a day 1000.00, large bet 10.00, large win 20.00, large wager a day 30.00, large wins a day 40.00, grant pays 60.00
  free rounds        up to 50 in a grant
`);
    expect(printed).toContain('blocked countries  FI, SE');
    expect(printed).toMatch(/^ {2}interrupted rounds +wait for the player$/m);
    const less = '--max-bet EUR=none --max-bet USD=0.5 --default-game none --currencies all';
    const changed = await operator(`set full ${less}`);
    expect(changed).toMatch(/^ {2}default operator {3}yes$/m);
    expect(changed).toMatch(
      /^ {2}currencies {9}all\n {2}extra languages {4}it, no\n {2}limits {13}USD: bet 0\.50, wager a day 500\.00, loss a day/m,
    );
    expect(await row('full')).toMatchObject({ walletTimeoutMs: 250, defaultGame: null, launchedOnly: true });
    const after = async (hours: string) => {
      await operator(`set full --complete-rounds-after${hours}`);
      return (await row('full')).completeRoundsAfterHours;
    };
    expect([await after(''), await after(' 36'), await after(' none')]).toEqual([24, 36, null]);
    expect(await books.secretsOf('full')).toEqual([SECRET]);
    expect(await operator('set full --no-default')).toMatch(/^ {2}default operator {3}no$/m);
    expect(await operator('add full --or-set --wallet-url none --name F')).toMatch(/^full: F\n {2}wallet {13}house$/m);
  });

  it('add refuses to complete the rounds of a wallet whose protocol forbids it', async () => {
    const settings = { partners: [10], user: 'u', password: 'p', gameref: 'rlx.platform.studio.{game}' };
    const dialect = `--dialect relax --dialect-settings ${await fileWith(JSON.stringify(settings))}`;
    await expectRefused(
      `add relax ${WALLET} ${dialect} --complete-rounds-after 24`,
      /does not let the server complete rounds/,
    );
    expect(await books.db.operator.findUnique({ where: { code: 'relax' } })).toBeNull();
  });

  describe('with operators that are there', () => {
    beforeAll(async () => {
      await operator('add plain');
      await operator(`add first ${WALLET} --default`);
      await books.player(await books.seamlessOperator('busy', 'http://127.0.0.1:9'), 'anna');
    });

    it.each([
      ['add plain --name B', /^There is an operator plain\. Change it with/],
      ['set acem --max-bet USD=100', /^There is no operator acem\. Make it with `roundhouse operator add acem`\.$/m],
      ['set busy --wallet-url none', /^Operator busy has players with accounts: its wallet cannot be changed/],
      ['set busy --default', /^Operator first is the default one\. Run .*first --no-default/],
      ['set plain --default', /^Operator plain has the house wallet, which cannot verify sessions/],
      ['disable nobody', /^There is no operator nobody\.$/m],
      ['rotate-secret nobody', /^There is no operator nobody\.$/m],
      ['rotate-secret plain', /^Operator plain has no secret yet/],
      ['rotate-secret busy --cancel', /^No rotation is under way: operator busy has one secret\.$/m],
      ['rotate-secret busy --finish --cancel', /cannot be used with/],
      ['add Acme', /A code is 1 to 64 of a-z, 0-9 and "-"/],
      [`add ${'a'.repeat(65)}`, /A code is 1 to 64/],
      ['set plain --wallet-url ftp://x', /It begins with http/],
      ['set plain --wallet-url https://u:p@x', /no user, no password/],
      [`set plain --secret ${SECRET}`, /unknown option '--secret'/],
      ['set plain --secret-file /nowhere/a_b', /^The secret cannot be read from \/nowhere\/a b: ENOENT\.$/m],
      ['set plain --wallet-timeout 99', /from 100 to 60000/],
      ['set plain --wallet-timeout 60001', /from 100 to 60000/],
      ['set plain --complete-rounds-after 0', /A whole number of hours from 1 to 8760/],
      ['set plain --max-bet 100', /A limit is written like USD=100/],
      ['set plain --max-bet USD=-1', /An amount is written like 12\.50/],
      ['set plain --max-bet USD=1 --max-bet usd=2', /USD is given twice/],
      ['set plain --currencies USD,XXQ', /A currency is a code of ISO 4217/],
      ['set plain --languages it,de', /The extra languages are cs, da, el/],
    ])('%s is refused', expectRefused);
  });

  it.each([
    ['short', /^A secret has 32 to 256 characters\.$/m],
    ['', /^A secret is one line of text, and not empty\.$/m],
    [`${SECRET}\n${SECRET}`, /^A secret is one line of text/m],
    [KEYS.replace('MC', 'MD'), /^The keys cannot be used: keys are a private Ed25519 key in PEM, then the public one/m],
    [KEYS.slice(0, KEYS.indexOf('-----BEGIN PUBLIC')), /^Keys are the server's private Ed25519 key in PEM, then/m],
  ])('the secret %j is refused', async (secret, line) => {
    await expectRefused(`set acme --secret-file ${await fileWith(secret)}`, line);
  });

  it('rotate-secret adds a second secret, which then replaces the first or is dropped', async () => {
    await books.seamlessOperator('rotated', 'http://127.0.0.1:9');
    const shown = /^New secret of rotated, shown this once: (\S{43})$/m;
    const begin = async () => shown.exec(await operator('rotate-secret rotated'))?.[1] ?? '';
    await begin();
    expect(await operator('list')).toMatch(/^ {2}secrets {12}2 \(3767… signs, [0-9a-f]{4}… is the next one\)$/m);
    await expectRefused('rotate-secret rotated', /^Operator rotated has two secrets already: end that rotation/);
    const cancelled = await operator('rotate-secret rotated --cancel');
    expect(cancelled).toBe('The new secret of rotated is gone. The old one stays.\n');
    const kept = await begin();
    const finished = await operator('rotate-secret rotated --finish');
    expect(finished).toMatch(/signed with the new secret\. The old one is gone\.$/m);
    expect(await books.secretsOf('rotated')).toEqual([kept]);
  });

  it('rotate-secret goes to keys from a file, which set then keeps', async () => {
    await books.seamlessOperator('keyed', 'http://127.0.0.1:9');
    const file = await fileWith(KEYS);
    const begun = await operator(`rotate-secret keyed --secret-file ${file}`);
    expect(begun).toMatch(/^Both secrets hold from now on/);
    await operator('rotate-secret keyed --finish');
    await operator(`set keyed --secret-file ${file}`);
    expect(await books.secretsOf('keyed')).toEqual([KEYS]);
  });
});

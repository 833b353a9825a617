import { createHash } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import { expect, it } from 'vitest';
import { useBooks } from '../../../test/cli/commands/books.ts';
import { SECRETS_KEY } from '../../../test/support/roundhouse.ts';
import { type ChangeKind, changeOperator, type OperatorChange } from '../../operators/settings/changeOperator.ts';
import { openDatabase } from '../database/database.ts';
import { listMaintenance, switchMaintenanceOff, switchMaintenanceOn } from '../rounds/maintenance.ts';
import { setDailyLimits, setLoginExpiry } from '../rounds/players.ts';
import { rotateSecret, sealSecrets, takeNonce } from './operatorSecrets.ts';
import { disableOperator, findWalletOperator, listOperators, setOperator } from './operators.ts';

const SECRET = 'a secret of more than thirty-two characters';
const NEXT = 'the next secret of more than thirty-two characters';
const walletUrl = 'http://127.0.0.1:9';
const NEW_KEY = '8f'.repeat(32);

const books = useBooks();

const change = (code: string, kind: ChangeKind, settings: OperatorChange = {}) =>
  changeOperator(books.db, { code, kind, change: settings, makeSecret: () => SECRET });
const fingerprint = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 4);

it('an operator has the settings that it was given, and the defaults of the others', async () => {
  const limit = {
    ...{ maxBetMicros: toMicros(5), dailyWagerLimitMicros: null, dailyLossLimitMicros: toMicros(7) },
    ...{
      largeBetMicros: toMicros(8),
      largeWinMicros: null,
      largeDailyWagerMicros: toMicros(9),
      largeDailyWinMicros: null,
      maxGrantLiabilityMicros: null,
    },
  };
  const limits = (['USD', 'EUR'] as const).map((currency) => ({ currency, ...limit }));
  const [usd, eur] = limits;
  const times = { walletTimeoutMs: 1_234, sessionTimeoutMs: 60_000, sessionLifetimeMs: 120_000 };
  const offered = { allowedCountries: ['FI'], blockedCountries: ['SE'], currencies: ['USD'], languages: ['it'] };
  const sessions = { defaultGame: 'a-game', launchedOnly: true, completeRoundsAfterHours: 36 };
  const jurisdiction = { disabledTurbo: true };
  const free = { freeRounds: true, maxFreeRounds: 7, closingDebits: true, draws: 'provablyFair' as const };
  const settings = { name: 'Acme', walletUrl, jurisdiction, ...times, ...offered, ...sessions, ...free };
  const flags = { isDefault: false, isDisabled: false };
  const operator = {
    code: 'acme',
    dialect: 'roundhouse',
    hasDialectSettings: false,
    ...settings,
    ...flags,
    secretFingerprints: [fingerprint(NEXT)],
  };
  const added = { ok: true, newSecret: undefined, operator: { ...operator, limits: [eur, usd] } };
  expect(await change('acme', 'add', { ...settings, secret: NEXT, limits })).toEqual(added);
  const lifted = { maxBetMicros: null, dailyLossLimitMicros: null, largeBetMicros: null, largeDailyWagerMicros: null };
  await change('acme', 'set', { limits: [{ currency: 'EUR', ...lifted }] });
  await setOperator(books.db, 'house', {});
  const [acme, house] = await listOperators(books.db);
  expect(acme).toEqual({ ...operator, limits: [usd] });
  expect(await change('acme', 'set', { draws: null })).toMatchObject({ operator: { draws: null } });
  expect(house).toMatchObject({
    code: 'house',
    name: 'house',
    draws: null,
    walletUrl: null,
    secretFingerprints: [],
    limits: [],
  });
  await setOperator(books.db, 'house', { name: 'The house' });
  expect((await listOperators(books.db))[1]).toMatchObject({ name: 'The house' });

  const { id } = await books.db.operator.findUniqueOrThrow({ where: { code: 'acme' } });
  const toWallet = { operatorID: id, code: 'acme', url: walletUrl, secrets: [NEXT], timeoutMs: 1_234 };
  const protocol = { dialect: 'roundhouse', dialectSettings: {}, closingDebits: true, keepsTokens: false };
  const found = { ...toWallet, ...protocol, defaultGame: 'a-game', isDisabled: false, launchedOnly: true };
  expect(await findWalletOperator(books.db, { code: 'acme' })).toEqual(found);
  expect(await findWalletOperator(books.db, { operatorID: id })).toEqual(found);
  expect(await findWalletOperator(books.db, { code: 'house' })).toBeUndefined();
  expect(await findWalletOperator(books.db, { code: 'nobody' })).toBeUndefined();
  const [stored] = (await books.db.operator.findUniqueOrThrow({ where: { id } })).secrets;
  expect(stored).toMatch(/^sealed:v1:[0-9a-f]{8}:/);
});

it('a change is refused with the first reason of the list, and changes nothing', async () => {
  const kindOf = async (code: string, kind: ChangeKind, settings: OperatorChange) => {
    const outcome = await change(code, kind, settings);
    return outcome.ok ? 'ok' : outcome.refusal;
  };
  const name = 'another';
  expect(await kindOf('acme', 'add', {})).toEqual({ kind: 'taken' });
  expect(await kindOf('nobody', 'set', {})).toEqual({ kind: 'unknown' });
  expect(await kindOf('bare', 'add', { isDefault: true })).toEqual({ kind: 'default_without_wallet' });
  await books.player(await books.seamlessOperator('played', walletUrl), 'ann');
  expect(await kindOf('played', 'set', { walletUrl: null, isDefault: true })).toEqual({ kind: 'has_players' });
  expect(await kindOf('played', 'set', { walletUrl: `${walletUrl}9` })).toBe('ok');
  expect(await kindOf('played', 'set', { isDefault: true })).toBe('ok');
  const other = { kind: 'other_default', code: 'played' };
  expect(await kindOf('acme', 'set', { isDefault: true, name })).toEqual(other);
  expect(await listOperators(books.db)).toContainEqual(expect.objectContaining({ code: 'acme', name: 'Acme' }));
  const { id: operatorId } = await books.db.operator.create({ data: { code: 'casino', name: 'casino' } });
  const { id: playerId } = await books.db.player.create({ data: { operatorId, externalId: 'bert' } });
  const account = { kind: 'player', currency: 'USD', balanceMicros: 0n } as const;
  await books.db.account.create({ data: { operatorId, playerId, ...account } });
  expect(await kindOf('casino', 'set', { walletUrl })).toEqual({ kind: 'has_players' });
  // Without players the wallet may change. An operator that loses it is not the default any more.
  expect(await kindOf('moving', 'add', { walletUrl })).toBe('ok');
  await change('played', 'set', { isDefault: false });
  expect(await kindOf('moving', 'set', { isDefault: true })).toBe('ok');
  const moved = await change('moving', 'set', { walletUrl: null });
  expect(moved).toMatchObject({ operator: { isDefault: false, walletUrl: null } });
});

it.each([
  ['add the same operator', ['raced', 'raced'], {}, 'taken'],
  ['become the default', ['one', 'two'], { walletUrl, isDefault: true }, 'other_default'],
])('of two that %s at once, one is refused', async (_, codes, settings, kind) => {
  const outcomes = await Promise.all(codes.map((code) => change(code, 'add', settings)));
  expect(outcomes.filter(({ ok }) => !ok)).toMatchObject([{ refusal: { kind } }]);
  await books.db.operator.deleteMany({ where: { code: { in: codes } } });
});

it('a dialect has its settings encrypted, and is refused where it cannot be', async () => {
  const dialect = { name: 'hub88', settings: '{"key":"value"}', freeRounds: true, completesRounds: false };
  const kindOf = async (kind: ChangeKind, settings: OperatorChange, code = 'behind') => {
    const outcome = await change(code, kind, settings);
    return outcome.ok ? 'ok' : outcome.refusal.kind;
  };
  expect(await kindOf('add', { dialect })).toBe('dialect_without_wallet');
  expect(await kindOf('add', { dialect, walletUrl, completeRoundsAfterHours: 24 })).toBe('completion_forbidden');
  expect(await kindOf('add', { dialect, walletUrl })).toBe('ok');
  expect(await kindOf('set', { completeRoundsAfterHours: 24 })).toBe('completion_forbidden');
  const stored = await books.db.operator.findUniqueOrThrow({ where: { code: 'behind' } });
  expect(stored).toMatchObject({ launchedOnly: true, freeRounds: true, completesRounds: false });
  expect(stored.dialectSettings).toMatch(/^sealed:v1:[0-9a-f]{8}:/);
  const found = { dialect: 'hub88', dialectSettings: { key: 'value' }, keepsTokens: true };
  expect(await findWalletOperator(books.db, { code: 'behind' })).toMatchObject(found);
  await books.player(stored.id, 'cleo');
  expect(await kindOf('set', { dialect: { ...dialect, name: 'relax' } })).toBe('dialect_of_players');
  expect(await kindOf('set', { dialect: { ...dialect, settings: '{}' } })).toBe('ok');
});

it('a secret is made only for a wallet that has none; a given one replaces all, unless it is one of them', async () => {
  expect(await change('secretive', 'add')).toMatchObject({ ok: true, newSecret: undefined });
  expect(await books.secretsOf('secretive')).toEqual([]);
  const setAll = (settings: OperatorChange) => change('secretive', 'add_or_set', settings);
  expect(await setAll({ walletUrl })).toMatchObject({ ok: true, newSecret: SECRET });
  expect(await setAll({ walletUrl })).toMatchObject({ ok: true, newSecret: undefined });
  expect(await books.secretsOf('secretive')).toEqual([SECRET]);
  await setAll({ secret: NEXT });
  expect(await books.secretsOf('secretive')).toEqual([NEXT]);
  await rotateSecret(books.db, 'secretive', { step: 'begin', secret: SECRET });
  await setAll({ secret: SECRET });
  expect(await books.secretsOf('secretive')).toEqual([NEXT, SECRET]);
});

it('a secret is rotated in two steps', async () => {
  const rotate = (code: string, step: 'begin' | 'finish' | 'cancel') =>
    rotateSecret(books.db, code, step === 'begin' ? { step, secret: NEXT } : { step });
  await change('turning', 'add', { walletUrl });
  expect(await rotate('nobody', 'begin')).toBe('unknown');
  expect(await rotate('house', 'begin')).toBe('no_secret');
  expect(await rotate('turning', 'finish')).toBe('not_under_way');
  expect(await rotate('turning', 'cancel')).toBe('not_under_way');
  expect(await rotate('turning', 'begin')).toBeUndefined();
  expect(await books.secretsOf('turning')).toEqual([SECRET, NEXT]);
  expect(await rotate('turning', 'begin')).toBe('under_way');
  expect(await rotate('turning', 'cancel')).toBeUndefined();
  expect(await books.secretsOf('turning')).toEqual([SECRET]);
  await rotate('turning', 'begin');
  expect(await rotate('turning', 'finish')).toBeUndefined();
  expect(await books.secretsOf('turning')).toEqual([NEXT]);
});

it('secrets in plain text are encrypted, and with `all` those under an older key too', async () => {
  await books.db.operator.create({ data: { code: 'plain', name: 'plain', secrets: [SECRET] } });
  expect(await sealSecrets(books.db, { all: false })).toEqual(['plain']);
  expect(await sealSecrets(books.db, { all: false })).toEqual([]);
  const db = openDatabase({ url: books.url, connections: 1, secretsKey: `${NEW_KEY},${SECRETS_KEY}` });
  expect(await sealSecrets(db, { all: false })).toEqual([]);
  expect(await sealSecrets(db, { all: true })).toEqual([
    'acme',
    'behind',
    'moving',
    'plain',
    'played',
    'secretive',
    'turning',
  ]);
  expect(await sealSecrets(db, { all: true })).toEqual([]);
  expect((await listOperators(books.db)).find(({ code }) => code === 'plain')?.secretFingerprints).toEqual(['????']);
  expect((await findWalletOperator(db, { code: 'turning' }))?.secrets).toEqual([NEXT]);
  expect((await findWalletOperator(db, { code: 'behind' }))?.dialectSettings).toEqual({});
  await db.$disconnect();
});

it('a nonce is taken once, and expired ones are deleted', async () => {
  const { id: operatorID } = await books.db.operator.findUniqueOrThrow({ where: { code: 'acme' } });
  const take = (nonce: string) => takeNonce(books.db, { operatorID, nonce });
  expect([await take('one'), await take('one'), await take('two')]).toEqual([true, false, true]);
  await books.db.$executeRaw`UPDATE operator_nonces SET expires_at = now() WHERE nonce = 'one'`;
  expect(await take('three')).toBe(true);
  const nonces = await books.db.operatorNonce.findMany({ orderBy: { expiresAt: 'asc' } });
  expect(nonces.map(({ nonce }) => nonce)).toEqual(['two', 'three']);
});

it('an operator is disabled and enabled with its maintenance switch', async () => {
  const disable = (code: string, disabled: boolean) => disableOperator(books.db, { code, disabled });
  expect(await disable('nobody', true)).toBe(false);
  expect([await disable('acme', true), await disable('acme', true)]).toEqual([true, true]);
  await switchMaintenanceOn(books.db, { scope: 'game', target: 'a-game', level: 'nothing_at_all' });
  await switchMaintenanceOn(books.db, { scope: 'game', target: 'a-game', level: 'no_new_rounds' });
  const all = { version: '', mode: '', since: expect.any(Date) };
  const game = { scope: 'game', target: 'a-game', level: 'no_new_rounds', ...all };
  const operator = { scope: 'operator', target: 'acme', level: 'nothing_at_all', ...all };
  expect(new Set(await listMaintenance(books.db))).toEqual(new Set([game, operator]));
  expect((await listOperators(books.db))[0]).toMatchObject({ code: 'acme', isDisabled: true });
  expect(await disable('acme', false)).toBe(true);
  expect(await listMaintenance(books.db)).toEqual([game]);
  expect(await switchMaintenanceOff(books.db, { scope: 'game', target: 'a-game' })).toBe(true);
  expect(await switchMaintenanceOff(books.db, { scope: 'game', target: 'a-game' })).toBe(false);
});

it('daily limits and the login of a player are set by the names that the operator uses', async () => {
  const ann = { operatorCode: 'played', externalID: 'ann' };
  const setLimits = (limits: object, more = {}) =>
    setDailyLimits(books.db, { ...ann, currency: 'USD', ...more }, limits);
  const limits = async () => {
    const where = { player: { externalId: 'ann' } };
    const { dailyWagerLimitMicros, dailyLossLimitMicros } = await books.db.account.findFirstOrThrow({ where });
    return [dailyWagerLimitMicros, dailyLossLimitMicros];
  };
  for (const [change, stored] of [
    [{ wagerMicros: toMicros(5), lossMicros: toMicros(6) }, [5n, 6n]],
    [{ wagerMicros: null }, [null, 6n]],
    [{ lossMicros: null }, [null, null]],
  ] as const) {
    expect(await setLimits(change)).toBe(true);
    expect(await limits()).toEqual(stored);
  }
  for (const other of [{ currency: 'EUR' }, { externalID: 'bob' }, { operatorCode: 'acme' }])
    expect(await setLimits({}, other)).toBe(false);
  const at = new Date('2026-01-02T03:04:05Z');
  expect(await setLoginExpiry(books.db, ann, at)).toBe(true);
  expect((await books.db.player.findFirst({ where: { externalId: 'ann' } }))?.loginExpiresAt).toEqual(at);
  expect(await setLoginExpiry(books.db, { ...ann, externalID: 'bob' }, at)).toBe(false);
});

it('an operator that has not changed is the same object, with its keys and settings', async () => {
  await change('kept', 'add', { walletUrl });
  const find = () => findWalletOperator(books.db, { code: 'kept' });
  const first = await find();
  expect(first).toMatchObject({ url: walletUrl, secrets: [SECRET] });
  expect(await find()).toBe(first);
  await change('kept', 'set', { secret: NEXT });
  expect(await find()).toMatchObject({ secrets: [NEXT] });
});

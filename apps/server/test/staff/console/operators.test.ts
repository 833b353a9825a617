import { OPERATOR_DEFAULTS } from '@roundhouse/contract/admin';
import { beforeAll, describe, expect, it } from 'vitest';
import { presetJurisdiction } from '../../../src/operators/jurisdictions/presets.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { startTestAdmin, type TestUser, useTestAdmin } from '../../support/adminServer.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';
import { OPERATOR, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer({ secretsKey: SECRETS_KEY });
const GEMS = { code: 'GEMS', kind: 'social', symbol: '◆', decimals: 0, symbolSide: 'after' } as const;
const admin = useTestAdmin(server, { secretsKey: SECRETS_KEY, currencies: [GEMS] });
const as = (role: TestUser['role'], operator?: string) =>
  admin.as({ role, ...(operator !== undefined && { operator }) });
const WALLET = 'https://wallet.example/api';

beforeAll(() => setOperator(server.db, 'other', { name: '<script>alert(1)</script>' }));

async function secretsOf(code: string): Promise<string[]> {
  const { secrets } = await server.db.operator.findUniqueOrThrow({ where: { code } });
  return secrets.map((each) => server.db.secretKeys.open(each, code));
}

/** Nothing that is kept or written has the secret. */
async function expectNowhere(secret: string) {
  const events = JSON.stringify((await listEvents(server.db)).map(({ before, after }) => [before, after]));
  const approvals = JSON.stringify(await server.db.$queryRaw`SELECT a::text FROM console_approvals a`);
  for (const text of [events, approvals, server.logLines.join('\n')]) expect(text).not.toContain(secret);
}

describe('the list of operators', () => {
  it('has every operator for users of the server, and the own one for users of an operator', async () => {
    const codes = async (operator?: string) =>
      (await as('viewer', operator).call('listOperators')).body.items.map((each: { code: string }) => each.code);
    expect(await codes()).toEqual(['other', OPERATOR]);
    expect(await codes('other')).toEqual(['other']);
    const first = await as('viewer').call('listOperators', { query: { limit: 1 } });
    const second = await as('viewer').call('listOperators', { query: { limit: 1, cursor: first.body.cursor } });
    expect([second.body.items[0].code, second.body.cursor]).toEqual([OPERATOR, null]);
    const cursor = Buffer.from(String(2 ** 31)).toString('base64url');
    expect((await as('viewer').call('listOperators', { query: { cursor } })).status).toBe(400);
  });

  it('gives another operator as one that does not exist', async () => {
    const get = (operator: string) => as('administrator', 'other').call('getOperator', { params: { operator } });
    const [foreign, unknown] = [await get(OPERATOR), await get('nobody')];
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await get('other')).body).toMatchObject({ code: 'other', name: '<script>alert(1)</script>' });
  });
});

describe('a new operator', () => {
  it('is judged without being made', async () => {
    const body = { code: 'judged', walletUrl: WALLET, isNew: true };
    expect((await as('administrator').call('judgeOperator', { body })).body).toEqual({ overridden: [] });
    expect(await server.db.operator.count({ where: { code: 'judged' } })).toBe(0);
    const known = await as('administrator').call('judgeOperator', { body: { ...body, code: OPERATOR } });
    expect(Object.keys(known.body.fields)).toEqual(['code']);
    const unknown = await as('administrator').call('judgeOperator', { body: { ...body, isNew: false } });
    expect(unknown.status).toBe(404);
  });

  it('with a wallet gets a secret, which one response shows', async () => {
    const body = {
      code: 'acme',
      name: 'Acme',
      walletUrl: `${WALLET}/`,
      currencies: ['USD', 'EUR', 'USD'],
      sessionTimeoutMinutes: 20,
    };
    const added = await as('administrator').call('addOperator', { body });
    expect(added.body.operator).toMatchObject({
      ...{
        code: 'acme',
        walletUrl: WALLET,
        currencies: ['USD', 'EUR'],
        sessionTimeoutMinutes: 20,
        dialect: 'roundhouse',
      },
      ...{ isDisabled: false, maintenance: null, hasDialectSettings: false, secrets: { isRotating: false } },
    });
    const { newSecret } = added.body;
    expect(await secretsOf('acme')).toEqual([newSecret]);
    const { text } = await as('administrator').call('getOperator', { params: { operator: 'acme' } });
    expect(text).not.toContain(newSecret);
    await expectNowhere(newSecret);
    const [event] = await listEvents(server.db, { kind: 'operator_changed', subject: 'operator acme' }, 1);
    expect(event?.actor).toBe('user:administrator@server.example');
  });

  it('shows an issue at each field, and is not made', async () => {
    const body = {
      ...{ code: 'Not A Code', walletUrl: 'ftp://wallet', walletTimeoutMs: 5, sessionTimeoutMinutes: 1.5 },
      ...{ allowedCountries: ['FIN'], jurisdiction: { maxStake: { USD: -1 } }, languages: ['xx'], maxFreeRounds: -1 },
    };
    const { status, body: refused } = await as('administrator').call('addOperator', { body });
    const judged = await as('administrator').call('judgeOperator', { body: { ...body, isNew: true } });
    expect(judged.body).toEqual(refused);
    expect([status, Object.keys(refused.fields).sort()]).toEqual([
      400,
      [
        ...['allowedCountries.0', 'code', 'jurisdiction.maxStake.USD', 'languages.0', 'maxFreeRounds'],
        ...['sessionTimeoutMinutes', 'walletTimeoutMs', 'walletUrl'],
      ],
    ]);
    expect(refused.fields.walletTimeoutMs).toBe('A whole number of milliseconds from 100 to 60000.');
    expect(await server.db.operator.count({ where: { code: 'Not A Code' } })).toBe(0);
  });

  it.each([
    ['code', { code: OPERATOR }],
    ['currencies', { code: 'new', currencies: ['QQQ'] }],
    ['jurisdictionPreset', { code: 'new', jurisdictionPreset: 'atlantis' }],
    ['dialect', { code: 'new', dialect: 'none' }],
    ['dialect', { code: 'new', dialectSettings: {} }],
    ['walletUrl', { code: 'new', dialect: 'roundhouse', isDefault: true, walletUrl: 'https://user:pw@wallet.example' }],
    ['isDefault', { code: 'new', isDefault: true }],
    [
      'dialectSettings.leaveOutBets',
      { code: 'new', walletUrl: WALLET, dialect: 'hub88', dialectSettings: { leaveOutBets: 1 } },
    ],
  ])('is refused by what this server knows: %s', async (field, body) => {
    const { status, body: refused } = await as('administrator').call('addOperator', { body });
    expect([status, Object.keys(refused.fields)]).toEqual([400, [field]]);
    expect(await server.db.operator.count({ where: { code: 'new' } })).toBe(0);
  });

  it('has the defaults of the contract, from which the form of the console begins', async () => {
    const added = await as('administrator').call('addOperator', { body: { code: 'plain' } });
    expect(added.body.operator).toMatchObject(OPERATOR_DEFAULTS);
  });

  it('takes no secret and no limits: those have separate requests', async () => {
    for (const more of [{ secret: 's'.repeat(40) }, { limits: [] }]) {
      expect((await as('administrator').call('addOperator', { body: { code: 'new', ...more } })).status).toBe(400);
    }
  });
});

describe('a change of an operator', () => {
  const change = (body: object) => as('administrator').call('changeOperator', { params: { operator: 'other' }, body });

  it('sets what is given and leaves the rest', async () => {
    const { body } = await change({ completeRoundsAfterHours: 24, allowedCountries: ['fi', 'SE'], languages: ['it'] });
    expect(body.operator).toMatchObject({
      ...{ completeRoundsAfterHours: 24, allowedCountries: ['FI', 'SE'], languages: ['it'] },
      ...{ name: '<script>alert(1)</script>', sessionTimeoutMinutes: 30 },
    });
    expect((await change({ completeRoundsAfterHours: null })).body.operator.completeRoundsAfterHours).toBeNull();
  });

  it('applies a preset; fields beside it win', async () => {
    const { body } = await change({ jurisdictionPreset: 'uk', jurisdiction: { minimumRoundDuration: 3_000 } });
    expect(body.operator.jurisdiction).toEqual({ ...presetJurisdiction('uk'), minimumRoundDuration: 3_000 });
    expect(body.overridden).toEqual(['minimumRoundDuration']);
  });

  it('is 404 for an operator that does not exist', async () => {
    expect((await as('administrator').call('changeOperator', { params: { operator: 'no' } })).status).toBe(404);
  });

  it('never shows the settings of a dialect', async () => {
    const key = 'k'.repeat(40);
    const dialectSettings = { secret: key, secureLogin: 'roundhouse', providerId: 'roundhouse' };
    const wallet = { code: 'praxis', walletUrl: WALLET, dialect: 'pragmatic', dialectSettings };
    const { status, text, body } = await as('administrator').call('addOperator', { body: wallet });
    expect(status, text).toBe(200);
    expect(body.operator).toMatchObject({ dialect: 'pragmatic', hasDialectSettings: true, launchedOnly: true });
    expect(text).not.toContain(key);
    await expectNowhere(key);
  });
});

describe('presets', () => {
  it('say which rule gives each value', async () => {
    const { body } = await as('viewer').call('listPresets');
    const uk = body.presets.find((each: { name: string }) => each.name === 'uk');
    expect(uk.values).toContainEqual(
      expect.objectContaining({ field: 'minimumRoundDuration', value: 2_500, rule: 'RTS 14D' }),
    );
    expect(body.dialects[0]).toBe('roundhouse');
    expect(body.currencies).toEqual(expect.arrayContaining(['USD', 'GEMS']));
  });

  it("come with the currencies of the server's settings, and the account says how these are shown", async () => {
    expect((await as('viewer').call('getAccount')).body.currencies).toEqual([GEMS]);
  });
});

describe('limits', () => {
  const set = (limits: object[]) =>
    as('administrator').call('setOperatorLimits', { params: { operator: 'other' }, body: { limits } });

  it('are set, changed and taken away by currency', async () => {
    const { body } = await set([
      { currency: 'USD', maxBetMicros: 100 * UNIT, largeWinMicros: UNIT },
      { currency: 'EUR', maxBetMicros: 0 },
    ]);
    expect(body.limits.map((each: { currency: string }) => each.currency)).toEqual(['EUR', 'USD']);
    const less = await set([
      { currency: 'USD', maxBetMicros: null },
      { currency: 'EUR', maxBetMicros: null },
    ]);
    expect(less.body.limits).toMatchObject([{ currency: 'USD', maxBetMicros: null, largeWinMicros: UNIT }]);
    const events = await listEvents(server.db, { kind: 'operator_limits_changed' }, 1);
    expect(events[0]?.actor).toBe('user:administrator@server.example');
  });

  it.each([
    ['limits.0.maxBetMicros', [{ currency: 'USD', maxBetMicros: -1 }]],
    ['limits.0.maxBetMicros', [{ currency: 'USD', maxBetMicros: 2 ** 53 }]],
    ['limits.0.largeWinMicros', [{ currency: 'USD', largeWinMicros: 0 }]],
    ['limits.1.currency', [{ currency: 'USD' }, { currency: 'QQQ' }]],
    ['limits', []],
  ])('name the field that is not right: %s', async (field, limits) => {
    const { status, body } = await set(limits);
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
  });
});

describe('a disabled operator', () => {
  it('is under maintenance until it is enabled', async () => {
    const disable = (disabled: boolean, reason?: string, operator = OPERATOR) =>
      as('administrator').call('disableOperator', { params: { operator }, body: { disabled, reason } });
    expect(Object.keys((await disable(true)).body.fields)).toEqual(['reason']);
    const disabled = await disable(true, 'The contract has ended');
    expect(disabled.body).toMatchObject({
      isDisabled: true,
      maintenance: { level: 'nothing_at_all', reason: 'The contract has ended' },
    });
    const [event] = await listEvents(server.db, { kind: 'operator_changed' }, 1);
    expect(JSON.parse(event?.after ?? '')).toEqual({ disabled: true, reason: 'The contract has ended' });
    const off = { scope: 'operator', target: OPERATOR, level: null };
    expect((await as('administrator').call('setMaintenance', { body: off })).body.fields.target).toMatch(/disabled/);
    expect((await disable(false)).body).toMatchObject({ isDisabled: false, maintenance: null });
    expect((await disable(true, 'It does not exist', 'no')).status).toBe(404);
  });
});

describe('a rotation of the secret', () => {
  const step = (name: 'rotateSecret' | 'finishRotation' | 'cancelRotation', user = as('administrator', 'acme')) =>
    user.call(name, { params: { operator: 'acme' } });

  it('begins, is finished, and shows the new secret once', async () => {
    const [old] = await secretsOf('acme');
    const begun = await step('rotateSecret');
    const { newSecret, secrets } = begun.body;
    expect([secrets.isRotating, secrets.fingerprints.length]).toEqual([true, 2]);
    expect(await secretsOf('acme')).toEqual([old, newSecret]);
    const again = await step('rotateSecret', as('administrator'));
    expect([again.status, again.body.by]).toEqual([409, 'user:administrator@acme.example']);
    expect(again.text).not.toContain(newSecret);
    expect((await step('finishRotation')).body.secrets.isRotating).toBe(false);
    expect(await secretsOf('acme')).toEqual([newSecret]);
    const late = await step('cancelRotation', as('administrator'));
    expect([late.status, late.body.by, typeof late.body.at]).toEqual([
      409,
      'user:administrator@acme.example',
      'string',
    ]);
    await expectNowhere(newSecret);
  });

  it('is cancelled', async () => {
    const before = await secretsOf('acme');
    await step('rotateSecret');
    expect((await step('cancelRotation')).body.secrets.isRotating).toBe(false);
    expect(await secretsOf('acme')).toEqual(before);
  });

  it('of another operator is 404, and without a secret 400', async () => {
    expect((await step('rotateSecret', as('administrator', 'other'))).status).toBe(404);
    expect((await as('administrator').call('rotateSecret', { params: { operator: OPERATOR } })).status).toBe(400);
  });

  it('waits for a second user, and its requester gets the secret that no table has in clear', async () => {
    const strict = await startTestAdmin(server, { twoPerson: true, secretsKey: SECRETS_KEY });
    try {
      const requester = strict.as({ role: 'administrator', operator: 'acme' });
      const pending = await requester.call('rotateSecret', { params: { operator: 'acme' } });
      expect(pending.status).toBe(202);
      expect(await secretsOf('acme')).toHaveLength(1);
      const second = strict.as({ role: 'administrator', operator: 'acme', email: 'second@acme.example' });
      const { approvalID } = pending.body;
      const decided = await second.call('decideApproval', { params: { approvalID }, body: { decision: 'approve' } });
      expect(decided.body).toMatchObject({ outcome: { status: 200 }, secret: 'waiting' });
      const shown = await requester.call('showApprovalSecret', { params: { approvalID } });
      const { secret } = shown.body;
      expect((await secretsOf('acme'))[1]).toBe(secret);
      await expectNowhere(secret);
      const listed = await second.call('listApprovals', { query: { subject: 'operator acme' } });
      for (const { text } of [decided, listed]) expect(text).not.toContain(secret);
    } finally {
      await strict.close();
    }
  });
});

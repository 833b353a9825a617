import { EXTRA_LANGUAGES, KNOWN_CURRENCY_CODES } from '@roundhouse/contract';
import type {
  AdminOperator,
  AdminOperatorDetail,
  adminContract,
  OperatorPresets,
  OperatorSettingsChange,
} from '@roundhouse/contract/admin';
import { DIALECT_NAMES } from '@roundhouse/dialects';
import { MS_PER_MINUTE } from '../../base/durations.ts';
import { fieldsOf, type Handlers } from '../../base/http/endpoints.ts';
import { InvalidRequest } from '../../base/http/readBody.ts';
import { notFoundResponse, ok } from '../../base/http/responses.ts';
import { makeSecret } from '../../base/seal.ts';
import {
  COMPARED_ON,
  type DescribedPreset,
  describePreset,
  PRESET_NAMES,
} from '../../operators/jurisdictions/presets.ts';
import { type ChangeKind, changeOperator, type OperatorChange } from '../../operators/settings/changeOperator.ts';
import { operatorChangeOf, withoutUndefined } from '../../operators/settings/operatorChange.ts';
import { refusalText } from '../../operators/settings/refusalTexts.ts';
import { withoutEffect } from '../../store/database/inOneTransaction.ts';
import {
  disableOperator,
  findOperator,
  listOperatorPage,
  type OperatorRecord,
} from '../../store/operators/operators.ts';
import type { LimitsChange } from '../../store/operators/storeOperator.ts';
import { readMaintenance } from '../../store/staff/maintenance.ts';
import type { AdminDeps } from './adminDeps.ts';
import { MOST_SMALL_ID, pageOf, pageStart } from './listPage.ts';
import { explained } from './maintenanceHandlers.ts';
import { pathScope, scopeOf } from './operatorScope.ts';

export const NO_SUCH_OPERATOR = 'there is no such operator';

type OperatorHandlers = Pick<
  Handlers<typeof adminContract>,
  | 'listOperators'
  | 'getOperator'
  | 'listPresets'
  | 'judgeOperator'
  | 'addOperator'
  | 'changeOperator'
  | 'disableOperator'
  | 'setOperatorLimits'
>;

/** Shows and changes operators by the functions of `roundhouse operator`. */
export function operatorHandlers({ db, currencies = [] }: AdminDeps): OperatorHandlers {
  const known = [...KNOWN_CURRENCY_CODES, ...currencies.map(({ code }) => code)];
  const isKnownCurrency = (code: string) => known.includes(code);

  /** Returns undefined when there is no such operator. */
  const change = async (code: string, kind: ChangeKind, wanted: OperatorChange, within = db) => {
    const outcome = await changeOperator(within, { code, kind, change: wanted, makeSecret });
    if (outcome.ok) return { ...outcome, detail: await detailOf(outcome.operator, within) };
    if (outcome.refusal.kind === 'unknown') return undefined;
    const { field, text } = refusalText(code, outcome.refusal);
    throw new InvalidRequest(`${field}: ${text}`, { [field]: text });
  };
  const changeSettings = async (code: string, kind: ChangeKind, settings: OperatorSettingsChange, within = db) => {
    const judged = operatorChangeOf(settings, { isKnownCurrency });
    if (!judged.ok) throw invalid(judged.issues);
    const changed = await change(code, kind, judged.change, within);
    if (changed === undefined) return notFoundResponse(NO_SUCH_OPERATOR);
    const { detail: operator, newSecret = null } = changed;
    return ok({ operator, newSecret, overridden: judged.overridden });
  };
  const detailOf = async (record: OperatorRecord, within = db): Promise<AdminOperatorDetail> => {
    const [maintenance] = await readMaintenance(within, { scope: 'operator', target: record.code });
    return { ...shownSettings(record), maintenance: maintenance ? explained(maintenance) : null };
  };

  return {
    listOperators: async ({ query: { cursor, limit }, res }) => {
      const { operatorCode: code } = scopeOf(res);
      const rows = await listOperatorPage(db, { code, before: pageStart(cursor, MOST_SMALL_ID), limit });
      return ok(pageOf(rows, { limit, onWire: operatorOnWire, idOf: ({ operatorID }) => operatorID }));
    },

    getOperator: async ({ params, res }) => {
      const scope = await pathScope(db, res, params.operator);
      const record = scope && (await findOperator(db, scope.operatorCode));
      return record === undefined ? notFoundResponse(NO_SUCH_OPERATOR) : ok(await detailOf(record));
    },

    listPresets: async () =>
      ok({
        comparedOn: COMPARED_ON,
        presets: PRESET_NAMES.map((name) => presetOnWire(describePreset(name))),
        dialects: [...DIALECT_NAMES],
        languages: [...EXTRA_LANGUAGES],
        currencies: known,
      }),

    judgeOperator: async ({ body: { code, isNew, ...settings } }) => {
      const judged = await withoutEffect(db, (within) => changeSettings(code, isNew ? 'add' : 'set', settings, within));
      return judged.status === 200 ? ok({ overridden: judged.body.overridden }) : judged;
    },

    addOperator: ({ body: { code, ...settings } }) => changeSettings(code, 'add', settings),

    changeOperator: ({ params, body }) => changeSettings(params.operator, 'set', body),

    disableOperator: async ({ params: { operator: code }, body }) => {
      const isKnown = await disableOperator(db, { code, ...body });
      const record = isKnown ? await findOperator(db, code) : undefined;
      return record === undefined ? notFoundResponse(NO_SUCH_OPERATOR) : ok(await detailOf(record));
    },

    setOperatorLimits: async ({ params, body: { limits } }) => {
      const unknown = limits.findIndex(({ currency }) => !isKnownCurrency(currency));
      if (unknown >= 0)
        throw invalid([{ field: `limits.${unknown}.currency`, message: 'There is no such currency here.' }]);
      const changes = limits.map((each) => withoutUndefined(each) as LimitsChange);
      const changed = await change(params.operator, 'set', { limits: changes });
      return changed === undefined ? notFoundResponse(NO_SUCH_OPERATOR) : ok(changed.detail);
    },
  };
}

function invalid(issues: readonly { field: string; message: string }[]): InvalidRequest {
  const [{ field, message } = { field: '', message: 'the settings are not right' }] = issues;
  return new InvalidRequest(`${field}: ${message}`, fieldsOf(issues));
}

/** Secrets never leave the server: only their fingerprints do. */
export function secretsOnWire({ secretFingerprints: fingerprints }: OperatorRecord) {
  return { fingerprints, isRotating: fingerprints.length > 1 };
}

/** What can be set of an operator, as the wire has it. */
export function shownSettings(record: OperatorRecord) {
  return { ...operatorOnWire(record), ...settingsOnWire(record) };
}

function operatorOnWire(record: OperatorRecord): AdminOperator {
  const { code, name, isDisabled, walletUrl, dialect, currencies } = record;
  return { code, name, isDisabled, walletUrl, dialect, currencies, secrets: secretsOnWire(record) };
}

function settingsOnWire(record: OperatorRecord) {
  const { walletTimeoutMs, hasDialectSettings, languages, defaultGame, isDefault, launchedOnly, freeRounds } = record;
  const { maxFreeRounds, closingDebits, draws, completeRoundsAfterHours, allowedCountries, blockedCountries } = record;
  const { jurisdiction, limits } = record;
  return {
    walletTimeoutMs,
    hasDialectSettings,
    languages,
    defaultGame,
    isDefault,
    launchedOnly,
    freeRounds,
    maxFreeRounds,
    closingDebits,
    draws,
    completeRoundsAfterHours,
    allowedCountries,
    blockedCountries,
    jurisdiction,
    limits,
    sessionTimeoutMinutes: record.sessionTimeoutMs / MS_PER_MINUTE,
    sessionLifetimeMinutes: record.sessionLifetimeMs / MS_PER_MINUTE,
  };
}

function presetOnWire({ name, place, values, notes }: DescribedPreset): OperatorPresets['presets'][number] {
  const shown = values.map((each) => {
    const { field, value } = each;
    if ('from' in each) return { field, value, rule: null, source: null, sourceUrl: null, from: [...each.from] };
    const { title, url = null } = each.source;
    return { field, value, rule: each.rule, source: title, sourceUrl: url, from: [] };
  });
  return { name, place, values: shown, notes: [...notes] };
}

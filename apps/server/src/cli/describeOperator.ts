import type { OperatorLimits, OperatorRecord } from '../ledger/queries/operators.ts';
import { writeUnits } from './options/units.ts';

const MS_PER_MINUTE = 60_000;
const LABEL_WIDTH = 19;

/** Of secrets only how many there are and which, never what they are. */
export function describeOperator(operator: OperatorRecord): string {
  const { limits } = operator;
  const lines: [label: string, text: string][] = [
    ...(operator.isDisabled ? [['state', 'disabled'] satisfies [string, string]] : []),
    ...walletLines(operator),
    ['currencies', list(operator.currencies, 'all')],
    ...limits.map((each, index): [string, string] => [index === 0 ? 'limits' : '', describeLimits(each)]),
    ['session time-out', `${operator.sessionTimeoutMs / MS_PER_MINUTE} min`],
    ['session lifetime', `${operator.sessionLifetimeMs / MS_PER_MINUTE} min`],
    ['allowed countries', list(operator.allowedCountries, 'all')],
    ['blocked countries', list(operator.blockedCountries, 'none')],
    ['jurisdiction', JSON.stringify(operator.jurisdiction)],
  ];
  const body = lines.map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}`);
  return [`${operator.code}: ${operator.name}`, ...body].join('\n');
}

function walletLines(operator: OperatorRecord): [string, string][] {
  const { walletUrl, walletTimeoutMs, secretFingerprints, defaultGame, isDefault, launchedOnly } = operator;
  const secrets: [string, string] = ['secrets', describeSecrets(secretFingerprints)];
  if (walletUrl === null) return [['wallet', 'house'], secrets];
  return [
    ['wallet', walletUrl],
    ['wallet time-out', `${walletTimeoutMs} ms`],
    secrets,
    ['default game', defaultGame ?? 'none'],
    ['default operator', isDefault ? 'yes' : 'no'],
    ['sessions', launchedOnly ? 'launched ones only' : 'any that the wallet vouches for'],
  ];
}

function describeSecrets([first, second]: readonly string[]): string {
  if (first === undefined) return 'none';
  return second === undefined ? `1 (${first}…)` : `2 (${first}… signs, ${second}… is the next one)`;
}

function describeLimits({ currency, ...limits }: OperatorLimits): string {
  const parts = [
    limits.maxBetMicros !== null && `bet ${writeUnits(limits.maxBetMicros)}`,
    limits.dailyWagerLimitMicros !== null && `wager a day ${writeUnits(limits.dailyWagerLimitMicros)}`,
    limits.dailyLossLimitMicros !== null && `loss a day ${writeUnits(limits.dailyLossLimitMicros)}`,
  ];
  return `${currency}: ${parts.filter(Boolean).join(', ')}`;
}

function list(texts: readonly string[], empty: string): string {
  return texts.length === 0 ? empty : texts.join(', ');
}

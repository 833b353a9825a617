import {
  areKeys,
  type CurrencyCode,
  DRAWS,
  type Draws,
  EXTRA_LANGUAGES,
  isKeysText,
  type Language,
  type Micros,
  partialJurisdictionSchema,
  toLanguage,
} from '@roundhouse/contract';
import { OPERATOR_BOUNDS, operatorCodeSchema } from '@roundhouse/contract/admin';
import { DIALECT_NAMES, type DialectName } from '@roundhouse/dialects';
import { StartError } from '@roundhouse/service';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isPresetName, PRESET_NAMES, type PresetName } from '../../operators/jurisdictions/presets.ts';
import type { DialectChange, OperatorChange } from '../../operators/settings/changeOperator.ts';
import { dialectChangeOf } from '../../operators/settings/dialectChange.ts';
import { operatorChangeOf, withoutUndefined } from '../../operators/settings/operatorChange.ts';
import type { LimitsChange } from '../../store/operators/storeOperator.ts';
import { parseCurrency } from './currencies.ts';
import {
  parseBaseUrl,
  parseCountries,
  parsedBy,
  parseSessionMinutes,
  parseUnitsOrNone,
  readSecretFile,
  readText,
  wholeNumber,
} from './options.ts';

const MIN_SECRET_CHARACTERS = 32;
const MAX_SECRET_CHARACTERS = 256;
const { walletTimeoutMs: TIMEOUT_MS, completionHours, freeRounds: FREE_ROUNDS } = OPERATOR_BOUNDS;
const COMPLETION_HOURS = '24';

type Limit = { currency: CurrencyCode; limit: Micros | null };

/** `operator add` and `operator set` take these options. */
export type SettingsOptions = {
  name?: string;
  sessionTimeout?: number;
  sessionLifetime?: number;
  allowCountries?: string[];
  blockCountries?: string[];
  completeRoundsAfter?: number | 'none';
  jurisdictionPreset?: PresetName;
  jurisdiction?: NonNullable<OperatorChange['jurisdiction']>;
  walletUrl?: string;
  secretFile?: string;
  walletTimeout?: number;
  dialect?: DialectName;
  dialectSettings?: string;
  currencies?: CurrencyCode[];
  languages?: Language[];
  defaultGame?: string;
  default?: boolean;
  launchedOnly?: boolean;
  maxBet?: Limit[];
  dailyWagerLimit?: Limit[];
  dailyLossLimit?: Limit[];
  largeBet?: Limit[];
  largeWin?: Limit[];
  largeDailyWager?: Limit[];
  largeDailyWin?: Limit[];
  freeRounds?: boolean;
  maxFreeRounds?: number;
  closingDebits?: boolean;
  draws?: Draws | 'game';
  maxGrantLiability?: Limit[];
};

export function addSettingsOptions(command: Command): Command {
  return addLimitOptions(addWalletOptions(addSessionOptions(command)));
}

function addSessionOptions(command: Command): Command {
  return command
    .option('--name <name>', 'full name')
    .option(
      '--session-timeout <minutes>',
      'idle time after which a session has to authenticate again',
      parseSessionMinutes,
    )
    .option('--session-lifetime <minutes>', 'time after which a new session has ended for good', parseSessionMinutes)
    .option(
      '--allow-countries <list>',
      'only from these, for example FI,SE; "none" takes the list away',
      parseCountries,
    )
    .option('--block-countries <list>', 'not from these; "none" takes the list away', parseCountries)
    .option(
      '--jurisdiction <json>',
      'flags that new sessions start from, for example {"disabledTurbo":true}',
      parseJurisdiction,
    )
    .addOption(
      new Option(
        '--draws <draws>',
        'how the rounds of new sessions are drawn, unless a launch says it; "game": as game.json says',
      ).choices([...DRAWS, 'game']),
    )
    .addOption(
      new Option(
        '--complete-rounds-after [hours]',
        `complete and credit a round this many hours after its player has left it (${COMPLETION_HOURS} without a number); "none" leaves it open`,
      )
        .preset(COMPLETION_HOURS)
        .argParser(parseHoursOrNone),
    )
    .addOption(
      new Option(
        '--jurisdiction-preset [name]',
        'what a place demands, for example uk; without a name the strictest of all. Fields of --jurisdiction win. ' +
          '`roundhouse jurisdictions` prints them',
      )
        .preset('strictest')
        .argParser(parsePreset),
    );
}

function addWalletOptions(command: Command): Command {
  return command
    .option('--wallet-url <url>', 'base URL of the operator\'s own wallet; "none" is the house wallet', parseWalletUrl)
    .option(
      '--secret-file <file>',
      `file with what both sides sign with, at least ${MIN_SECRET_CHARACTERS} characters, or with Ed25519 keys in PEM: the server's private one, then the ` +
        'operator\'s public one; "-" reads the standard input. A wallet URL without it makes a secret and shows it once. It replaces at once what is there: rotate-secret does it without a gap',
    )
    .option(
      '--wallet-timeout <ms>',
      `time for one request to the wallet, ${TIMEOUT_MS.least} to ${TIMEOUT_MS.most}`,
      wholeNumber(TIMEOUT_MS),
    )
    .addOption(
      new Option(
        '--dialect <name>',
        "protocol of the operator's wallet; docs/dialects says what each needs. Without it the server's own",
      ).choices(DIALECT_NAMES),
    )
    .option('--dialect-settings <file>', 'JSON file with keys and names for the dialect; "-" reads the standard input')
    .option('--currencies <list>', 'only in these, for example USD,EUR; "all" takes the list away', parseCurrencies)
    .option(
      '--languages <list>',
      `launches may use these, too, of ${EXTRA_LANGUAGES.join(', ')}; "all" or "none" of them`,
      parseLanguages,
    )
    .option('--default-game <id>', 'game of sessions that come without a launch; "none" takes it away')
    .option('--default', 'verify sessions that name no operator; one operator at most')
    .option('--no-default', 'no longer do so')
    .option('--launched-only', 'verify launched sessions only; every other one is ERR_IS')
    .option('--no-launched-only', 'verify every session that names the operator')
    .option('--free-rounds', 'its wallet takes debits of 0 that name a grant; `wallet-check --free-rounds` proves it')
    .option('--no-free-rounds', 'its players get no free rounds')
    .option('--max-free-rounds <count>', 'most rounds that one player may get at once', wholeNumber(FREE_ROUNDS))
    .option(
      '--closing-debits',
      'its wallet takes debits that close their lost round; `wallet-check --closing-debits` proves it',
    )
    .option('--no-closing-debits', 'lost rounds are closed with a credit of 0');
}

function addLimitOptions(command: Command): Command {
  const more = 'one currency each time; "none" takes the limit away';
  return command
    .option('--max-bet <limit>', `most that one bet may cost, for example USD=100; ${more}`, collectLimits)
    .option('--daily-wager-limit <limit>', `most that a player's bets of a day may add up to; ${more}`, collectLimits)
    .option('--daily-loss-limit <limit>', `most that bets may exceed payouts in a day; ${more}`, collectLimits)
    .option('--large-bet <limit>', `a bet that costs so much is a significant event; ${more}`, collectLimits)
    .option('--large-win <limit>', `a round that pays so much is a significant event; ${more}`, collectLimits)
    .option(
      '--large-daily-wager <limit>',
      `bets of a player that add up to so much in a day are a significant event; ${more}`,
      collectLimits,
    )
    .option(
      '--large-daily-win <limit>',
      `wins of a player that add up to so much in a day are a significant event; ${more}`,
      collectLimits,
    )
    .option(
      '--max-grant-liability <limit>',
      `most that the free rounds of one grant can pay together; ${more}`,
      collectLimits,
    );
}

/** Returns only the given settings, checked by the rules of the console. */
export async function changeOf(options: SettingsOptions): Promise<{ change: OperatorChange; overridden: string[] }> {
  const { walletUrl, defaultGame } = options;
  const judged = operatorChangeOf(
    withoutUndefined({
      name: options.name,
      sessionTimeoutMinutes: options.sessionTimeout,
      sessionLifetimeMinutes: options.sessionLifetime,
      allowedCountries: options.allowCountries,
      blockedCountries: options.blockCountries,
      jurisdictionPreset: options.jurisdictionPreset,
      jurisdiction: options.jurisdiction,
      completeRoundsAfterHours: options.completeRoundsAfter === 'none' ? null : options.completeRoundsAfter,
      walletUrl: walletUrl === 'none' ? null : walletUrl,
      walletTimeoutMs: options.walletTimeout,
      currencies: options.currencies,
      languages: options.languages,
      defaultGame: defaultGame === 'none' ? null : defaultGame,
      isDefault: options.default,
      launchedOnly: options.launchedOnly,
      freeRounds: options.freeRounds,
      maxFreeRounds: options.maxFreeRounds,
      closingDebits: options.closingDebits,
      draws: options.draws === 'game' ? null : options.draws,
    }),
    { isKnownCurrency: () => true },
  );
  if (!judged.ok) throw new StartError(judged.issues.map(({ message }) => message).join('\n'));
  const more = withoutUndefined({
    dialect: await dialectChange(options),
    secret: options.secretFile === undefined ? undefined : await readSecret(options.secretFile),
    limits: limitsOf(options),
  });
  return { change: { ...judged.change, ...more }, overridden: judged.overridden };
}

async function dialectChange({ dialect: name, dialectSettings }: SettingsOptions): Promise<DialectChange | undefined> {
  if (name !== undefined) return dialectChangeOf(name, dialectSettings && (await readText(dialectSettings)));
  if (dialectSettings !== undefined) throw new StartError('--dialect-settings needs --dialect.');
  return undefined;
}

/** Each option sets this limit. */
const LIMITS = {
  maxBet: 'maxBetMicros',
  dailyWagerLimit: 'dailyWagerLimitMicros',
  dailyLossLimit: 'dailyLossLimitMicros',
  largeBet: 'largeBetMicros',
  largeWin: 'largeWinMicros',
  largeDailyWager: 'largeDailyWagerMicros',
  largeDailyWin: 'largeDailyWinMicros',
  maxGrantLiability: 'maxGrantLiabilityMicros',
} as const satisfies { [Option in keyof SettingsOptions]?: keyof LimitsChange };

function limitsOf(options: SettingsOptions): LimitsChange[] {
  return (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).flatMap((option) =>
    (options[option] ?? []).map(({ currency, limit }) => ({ currency, [LIMITS[option]]: limit })),
  );
}

export function parseOperatorCode(text: string): string {
  return parsedBy(operatorCodeSchema, text);
}

function parseHoursOrNone(text: string): number | 'none' {
  return text === 'none' ? text : wholeNumber(completionHours)(text);
}

function parseWalletUrl(text: string): string {
  return text === 'none' ? text : parseBaseUrl(text);
}

/**
 * Reads what both sides sign with: a shared secret, or the server's private key and the operator's
 * public one.
 * @throws StartError when it is neither.
 */
export async function readSecret(file: string): Promise<string> {
  const secret = await readSecretFile(file);
  if (areKeys(secret)) return secret;
  if (isKeysText(secret)) {
    throw new StartError("Keys are the server's private Ed25519 key in PEM, then the operator's public one.");
  }
  const { length } = [...secret];
  if (length < MIN_SECRET_CHARACTERS || length > MAX_SECRET_CHARACTERS) {
    throw new StartError(`A secret has ${MIN_SECRET_CHARACTERS} to ${MAX_SECRET_CHARACTERS} characters.`);
  }
  return secret;
}

function parseCurrencies(text: string): CurrencyCode[] {
  return text === 'all' ? [] : [...new Set(text.split(',').map((each) => parseCurrency(each.trim())))];
}

function parseLanguages(text: string): Language[] {
  if (text === 'none') return [];
  if (text === 'all') return [...EXTRA_LANGUAGES];
  return [...new Set(text.split(',').map(parseLanguage))];
}

function parseLanguage(text: string): Language {
  const language = toLanguage(text);
  if (EXTRA_LANGUAGES.includes(language)) return language;
  throw new InvalidArgumentError(`The extra languages are ${EXTRA_LANGUAGES.join(', ')}.`);
}

function collectLimits(text: string, before: Limit[] = []): Limit[] {
  const [, code, units] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (code === undefined || units === undefined) {
    throw new InvalidArgumentError('A limit is written like USD=100, or USD=none.');
  }
  const currency = parseCurrency(code);
  if (before.some((each) => each.currency === currency)) throw new InvalidArgumentError(`${currency} is given twice.`);
  const limit = parseUnitsOrNone(units);
  return [...before, { currency, limit: limit === 'none' ? null : limit }];
}

function parsePreset(name: string): PresetName {
  if (isPresetName(name)) return name;
  throw new InvalidArgumentError(`The presets are ${PRESET_NAMES.join(', ')}.`);
}

function parseJurisdiction(text: string): NonNullable<OperatorChange['jurisdiction']> {
  try {
    return partialJurisdictionSchema.strict().parse(JSON.parse(text));
  } catch {
    throw new InvalidArgumentError(
      'JSON of jurisdiction flags, for example {"disabledTurbo":true,"minimumRoundDuration":2500}.',
    );
  }
}

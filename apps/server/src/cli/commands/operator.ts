import { StartError } from '@roundhouse/service';
import { Command, Option } from 'commander';
import { isLoopback } from '../../base/address.ts';
import { MS_PER_MINUTE } from '../../base/durations.ts';
import { makeSecret } from '../../base/seal.ts';
import { visible } from '../../base/terminal/visible.ts';
import { writeUnits } from '../../base/terminal/writeAmounts.ts';
import { changeOperator, type OperatorRefusal } from '../../operators/settings/changeOperator.ts';
import { refusalText, rotationRefusalText } from '../../operators/settings/refusalTexts.ts';
import {
  type RotationRefusal,
  type RotationStep,
  rotateSecret,
  sealSecrets,
} from '../../store/operators/operatorSecrets.ts';
import {
  disableOperator,
  listOperators,
  type OperatorLimits,
  type OperatorRecord,
} from '../../store/operators/operators.ts';
import { sealServerSeeds } from '../../store/rounds/fairSeeds.ts';
import { sealApprovals } from '../../store/staff/approvals.ts';
import {
  addSettingsOptions,
  changeOf,
  parseOperatorCode,
  readSecret,
  type SettingsOptions,
} from '../options/operatorSettings.ts';
import { addDatabaseOptions, parseReason } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

const LABEL_WIDTH = 19;

export function operatorCommand(): Command {
  return new Command('operator')
    .description(
      'An operator with a wallet URL keeps the money of its players itself, and the server sends requests to its wallet. An operator without one has the house ' +
        'wallet: balances in the database of this server. A change takes effect on every node within a second.',
    )
    .addCommand(
      changeCommand('add')
        .summary('make an operator')
        .option('--or-set', 'change it when it is there already, for set-up scripts that run again', false),
    )
    .addCommand(changeCommand('set').summary('change the settings that are given'))
    .addCommand(switchCommand('disable').summary('let nobody play there any more'))
    .addCommand(switchCommand('enable').summary('let players of a disabled operator play again'))
    .addCommand(listCommand())
    .addCommand(rotateSecretCommand())
    .addCommand(encryptCommand());
}

function changeCommand(name: 'add' | 'set'): Command {
  const command = new Command(name).argument('<code>', 'short name, for example "acme"', parseOperatorCode);
  return addDatabaseOptions(addSettingsOptions(command)).action(
    async (code: string, options: SettingsOptions & DatabaseChoice & { orSet?: boolean }) => {
      const { change, overridden } = await changeOf(options);
      const kind = options.orSet ? 'add_or_set' : name;
      const outcome = await withDatabase(options, (db) => changeOperator(db, { code, kind, change, makeSecret }));
      if (!outcome.ok) {
        const { text } = refusalText(code, outcome.refusal);
        throw new StartError(`${text} ${hintOf(code, outcome.refusal)}`.trimEnd());
      }
      console.log(describeOperator(outcome.operator));
      if (isUnprotected(options.walletUrl)) console.warn(`\nWarning: ${options.walletUrl} is not encrypted. ${RISK}`);
      if (overridden.length > 0) {
        console.log(`\nGiven in place of the preset ${options.jurisdictionPreset}: ${overridden.join(', ')}`);
      }
      if (outcome.newSecret !== undefined) console.log(`\nSecret, shown this once: ${outcome.newSecret}`);
    },
  );
}

/** Requests to a wallet are signed, its responses are not. */
const RISK = 'Whoever is between server and wallet can read and change its responses: use https.';

function isUnprotected(walletUrl = 'none'): boolean {
  return walletUrl.startsWith('http:') && !isLoopback(new URL(walletUrl).hostname);
}

function switchCommand(name: 'disable' | 'enable'): Command {
  const disabled = name === 'disable';
  const command = new Command(name)
    .description(
      'Players of a disabled operator get ERR_MAINTENANCE on every node at once, and its launches are refused. It may still read its rounds and give ' +
        'bets back, and what is owed to its players is still sent to its wallet. Enabling ends maintenance of the operator too.',
    )
    .argument('<code>', 'the operator')
    .option('--reason <text>', 'why, for the log of significant events', parseReason);
  return addDatabaseOptions(command).action(async (code: string, choice: DatabaseChoice & { reason?: string }) => {
    const { reason } = choice;
    const isKnown = await withDatabase(choice, (db) => disableOperator(db, { code, disabled, reason }));
    if (!isKnown) throw new StartError(`There is no operator ${code}.`);
    console.log(`Operator ${code} is ${name}d.`);
  });
}

function encryptCommand(): Command {
  const command = new Command('encrypt-secrets')
    .summary('encrypt every secret with the first key')
    .description(
      'After another key was put before the old one in ROUNDHOUSE_SECRETS_KEY, on every node: encrypts the secrets of all operators, the server seeds of players, and what approvals hold, anew. ' +
        'Then the old key can be taken away.',
    );
  return addDatabaseOptions(command).action(async (choice: DatabaseChoice) => {
    const changed = await withDatabase(choice, async (db) => {
      const codes = await sealSecrets(db, { all: true });
      const seeds = await sealServerSeeds(db);
      const approvals = await sealApprovals(db);
      return [
        ...codes,
        ...(seeds === 0 ? [] : [`${seeds} server seeds`]),
        ...(approvals === 0 ? [] : [`secrets of ${approvals} approvals`]),
      ];
    });
    console.log(
      changed.length === 0 ? 'Every secret was encrypted with the first key.' : `Encrypted: ${changed.join(', ')}.`,
    );
  });
}

function listCommand(): Command {
  return addDatabaseOptions(new Command('list').summary('show the operators')).action(
    async (choice: DatabaseChoice) => {
      const operators = await withDatabase(choice, listOperators);
      console.log(operators.map(describeOperator).join('\n\n'));
    },
  );
}

/** What to do about a refusal. */
function hintOf(code: string, refusal: OperatorRefusal): string {
  switch (refusal.kind) {
    case 'taken':
      return `Change it with \`roundhouse operator set ${code}\`.`;
    case 'unknown':
      return `Make it with \`roundhouse operator add ${code}\`.`;
    case 'dialect_without_wallet':
    case 'default_without_wallet':
      return 'The option is --wallet-url.';
    case 'completion_forbidden':
      return 'Leave --complete-rounds-after out.';
    case 'other_default':
      return `Run \`roundhouse operator set ${refusal.code} --no-default\` first.`;
    default:
      return '';
  }
}

function rotateSecretCommand(): Command {
  return addDatabaseOptions(
    new Command('rotate-secret')
      .summary('exchange the secret of an operator, without a gap')
      .description(
        'Makes a new secret and shows it once, or takes one from a file. From then on both hold: requests of the operator may be signed with either, requests to it are signed ' +
          'with the old one. When the operator takes both, --finish lets the new one sign and drops the old one.',
      )
      .argument('<code>', 'the operator')
      .addOption(
        new Option(
          '--secret-file <file>',
          'file with the new secret, or with Ed25519 keys, as add has it; "-": standard input',
        ),
      )
      .addOption(new Option('--finish', 'the new one signs, the old one is gone').conflicts(['cancel', 'secretFile']))
      .addOption(new Option('--cancel', 'the new one is gone').conflicts('secretFile')),
  ).action(async (code: string, options: DatabaseChoice & RotationOptions) => {
    const rotation = await stepOf(options);
    const refusal = await withDatabase(options, (db) => rotateSecret(db, code, rotation));
    if (refusal !== undefined) throw new StartError(rotationRefusalText(code, refusal) + ROTATION_HINTS[refusal](code));
    console.log(describeRotation(code, rotation, options));
  });
}

type RotationOptions = { secretFile?: string; finish?: boolean; cancel?: boolean };

async function stepOf({ secretFile, finish = false, cancel = false }: RotationOptions): Promise<RotationStep> {
  if (finish) return { step: 'finish' };
  if (cancel) return { step: 'cancel' };
  return { step: 'begin', secret: secretFile === undefined ? makeSecret() : await readSecret(secretFile) };
}

function describeRotation(code: string, rotation: RotationStep, { secretFile }: RotationOptions): string {
  if (rotation.step === 'finish') return `Calls to ${code} are signed with the new secret. The old one is gone.`;
  if (rotation.step === 'cancel') return `The new secret of ${code} is gone. The old one stays.`;
  return [
    ...(secretFile === undefined ? [`New secret of ${code}, shown this once: ${rotation.secret}`] : []),
    `Both secrets hold from now on; calls to ${code} are signed with the old one.`,
    `When ${code} takes both, run \`roundhouse operator rotate-secret ${code} --finish\`.`,
  ].join('\n');
}

/** What to do about a refusal. */
const ROTATION_HINTS: Record<RotationRefusal, (code: string) => string> = {
  unknown: () => '',
  no_secret: (code) => ` Give it one with \`roundhouse operator set ${code} --secret-file <file>\`.`,
  under_way: () => ' The options are --finish and --cancel.',
  not_under_way: () => '',
};

/** Shows how many secrets there are and their fingerprints, never the secrets. */
function describeOperator(operator: OperatorRecord): string {
  const { limits } = operator;
  const lines: [label: string, text: string][] = [
    ...(operator.isDisabled ? [['state', 'disabled'] satisfies [string, string]] : []),
    ...walletLines(operator),
    ['currencies', list(operator.currencies, 'all')],
    ['extra languages', list(operator.languages, 'none')],
    ...limits.map((each, index): [string, string] => [index === 0 ? 'limits' : '', describeLimits(each)]),
    ['free rounds', describeFreeRounds(operator)],
    ['draws', operator.draws ?? 'as the game says'],
    ['session time-out', `${operator.sessionTimeoutMs / MS_PER_MINUTE} min`],
    ['session lifetime', `${operator.sessionLifetimeMs / MS_PER_MINUTE} min`],
    ['interrupted rounds', describeCompletion(operator)],
    ['allowed countries', list(operator.allowedCountries, 'all')],
    ['blocked countries', list(operator.blockedCountries, 'none')],
    ['jurisdiction', JSON.stringify(operator.jurisdiction)],
  ];
  const body = lines.map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}`);
  return [`${operator.code}: ${visible(operator.name)}`, ...body].join('\n');
}

function walletLines(operator: OperatorRecord): [string, string][] {
  const { walletUrl, walletTimeoutMs, secretFingerprints, closingDebits, defaultGame, isDefault, launchedOnly } =
    operator;
  const secrets: [string, string] = ['secrets', describeSecrets(secretFingerprints)];
  if (walletUrl === null) return [['wallet', 'house'], secrets];
  return [
    ['wallet', walletUrl],
    ['dialect', operator.dialect],
    ['wallet time-out', `${walletTimeoutMs} ms`],
    secrets,
    ...(closingDebits ? [['lost rounds', 'closed by their debit'] satisfies [string, string]] : []),
    ['default game', defaultGame ?? 'none'],
    ['default operator', isDefault ? 'yes' : 'no'],
    ['sessions', launchedOnly ? 'launched ones only' : 'all that the wallet verifies'],
  ];
}

function describeSecrets([first, second]: readonly string[]): string {
  if (first === undefined) return 'none';
  return second === undefined ? `1 (${first}…)` : `2 (${first}… signs, ${second}… is the next one)`;
}

function describeCompletion({ completeRoundsAfterHours: hours }: OperatorRecord): string {
  return hours === null ? 'wait for the player' : `completed after ${hours} h`;
}

function describeFreeRounds({ walletUrl, freeRounds, maxFreeRounds }: OperatorRecord): string {
  return walletUrl === null || freeRounds ? `up to ${maxFreeRounds} in a grant` : 'not known to the wallet';
}

function describeLimits({ currency, ...limits }: OperatorLimits): string {
  const texts = [
    limits.maxBetMicros !== null && `bet ${writeUnits(limits.maxBetMicros)}`,
    limits.dailyWagerLimitMicros !== null && `wager a day ${writeUnits(limits.dailyWagerLimitMicros)}`,
    limits.dailyLossLimitMicros !== null && `loss a day ${writeUnits(limits.dailyLossLimitMicros)}`,
    limits.largeBetMicros !== null && `large bet ${writeUnits(limits.largeBetMicros)}`,
    limits.largeWinMicros !== null && `large win ${writeUnits(limits.largeWinMicros)}`,
    limits.largeDailyWagerMicros !== null && `large wager a day ${writeUnits(limits.largeDailyWagerMicros)}`,
    limits.largeDailyWinMicros !== null && `large wins a day ${writeUnits(limits.largeDailyWinMicros)}`,
    limits.maxGrantLiabilityMicros !== null && `grant pays ${writeUnits(limits.maxGrantLiabilityMicros)}`,
  ];
  return `${currency}: ${texts.filter(Boolean).join(', ')}`;
}

function list(texts: readonly string[], empty: string): string {
  return texts.length === 0 ? empty : texts.join(', ');
}

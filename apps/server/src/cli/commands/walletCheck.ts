import { MICROS_PER_UNIT, type Micros, toMicros } from '@roundhouse/contract';
import { OPERATOR_BOUNDS } from '@roundhouse/contract/admin';
import { AGGREGATOR_NAMES, isDialectName } from '@roundhouse/dialects';
import { runUntilStopped, StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError, Option } from 'commander';
import { dialectChangeOf } from '../../operators/settings/dialectChange.ts';
import type { WalletCheck } from '../../rounds/wallets/walletCheck.ts';
import { parseBaseUrl, parseUnits, readSecretFile, readText, wholeNumber } from '../options/options.ts';

const { walletTimeoutMs: TIMEOUT_MS } = OPERATOR_BOUNDS;

type WalletCheckOptions = {
  secretFile?: string;
  session?: string;
  game: string;
  expiredSession?: string;
  bet: Micros;
  freeRounds: boolean;
  closingDebits: boolean;
  walletTimeout?: number;
  json: boolean;
} & DialectOptions;

/** What a dialect needs in place of a secret and a session. */
type DialectOptions = {
  dialect?: string;
  dialectSettings?: string;
  player?: string;
  token?: string;
  expiredToken?: string;
  currency?: string;
};

export function walletCheckCommand(): Command {
  const command = new Command('wallet-check')
    .description(
      "Sends requests to an operator's wallet as the server would, well and wrongly signed, once and twice, and reports for every rule of the wallet protocol " +
        'whether it holds, with the requests and responses of those that do not. It bets with the balance of the session and rolls back what it can: ' +
        'use a test player. With --dialect it checks the wallet of an aggregator by the rules of its protocol. Exit code 0 when no rule fails, else 1.',
    )
    .argument('<url>', 'base URL of the wallet: what stands before /debit', parseBaseUrl)
    .option('--secret-file <file>', 'file with the secret that signs requests; "-" reads the standard input')
    .option('--session <id>', 'a live session of a test player; without it the wallet is asked for one (/test-session)')
    .option('--game <id>', 'the game that the session is for', 'wallet-check')
    .option('--expired-session <id>', 'a session that has timed out, to check that too')
    .addOption(betOption())
    .option('--free-rounds', 'the wallet knows free rounds: check that too', false)
    .option('--closing-debits', 'the wallet knows debits that close their lost round: check that too', false)
    .option(
      '--wallet-timeout <ms>',
      'time for one request, as the operator has it: 5000 by default',
      wholeNumber(TIMEOUT_MS),
    )
    .option('--json', 'print the report as JSON', false);
  return addDialectOptions(command).action(walletCheck);
}

function addDialectOptions(command: Command): Command {
  const own = ['secretFile', 'session', 'expiredSession', 'freeRounds', 'closingDebits'];
  return command
    .addOption(
      new Option('--dialect <name>', 'the protocol of the wallet; the next five options belong to it')
        .choices(AGGREGATOR_NAMES)
        .conflicts(own),
    )
    .option('--dialect-settings <file>', 'JSON file with the settings that the operator has; "-": standard input')
    .option('--player <id>', "the aggregator's id of a test player")
    .option('--token <token>', 'a live token of that player, for the game and the currency')
    .option('--expired-token <token>', 'a token that has timed out, to check that too')
    .option('--currency <code>', "the aggregator's code of the player's currency");
}

function walletCheck(url: string, options: WalletCheckOptions, command: Command) {
  const { json, dialect } = options;
  return runUntilStopped(async ({ signal }) => {
    const prepare = dialect === undefined ? ownCheck : dialectCheck;
    const start = await prepare(url, options, command);
    const { createTextReport, failed, renderReportJson } = await import('@roundhouse/wallet-check');
    const text = createTextReport();
    if (!json) process.stdout.write(`Wallet ${url}\n\n`);
    const outcome = await start({
      signal,
      ...(!json && { onResult: (result) => process.stdout.write(text.result(result)) }),
    });
    if (!outcome.ok) throw new StartError(`The wallet at ${url} cannot be reached (${outcome.why}).`);
    if (failed(outcome.report)) process.exitCode = 1;
    process.stdout.write(json ? renderReportJson(url, outcome.report) : text.summary(outcome.report));
  });
}

async function ownCheck(url: string, options: WalletCheckOptions, command: Command): Promise<WalletCheck> {
  const { secretFile } = required(command, options, ['secretFile']);
  const { game: gameID, bet, freeRounds, closingDebits, walletTimeout: timeoutMs } = options;
  const secret = await readSecretFile(secretFile);
  const { ownWalletCheck, sessionsToCheck } = await import('../../rounds/wallets/walletCheck.ts');
  const named = { sessionID: options.session, expiredSessionID: options.expiredSession };
  const sessions = await sessionsToCheck({ url, timeoutMs, secret, gameID, ...named });
  if (!sessions.ok)
    throw new StartError(`There is no session to check with: ${sessions.why}. Name one with --session.`);
  const { sessionID, expiredSessionID } = sessions;
  const facts = { sessionID, expiredSessionID, gameID, bet, freeRounds, closingDebits };
  return ownWalletCheck({ url, timeoutMs, secret, ...facts });
}

async function dialectCheck(url: string, options: WalletCheckOptions, command: Command): Promise<WalletCheck> {
  const given = required(command, options, ['dialect', 'dialectSettings', 'player', 'token', 'currency']);
  const { dialect, player, token, currency } = given;
  const { expiredToken, game: gameID, bet, walletTimeout: timeoutMs } = options;
  if (!isDialectName(dialect)) throw new StartError(`There are no rules for dialect ${dialect}.`);
  const settings = JSON.parse(dialectChangeOf(dialect, await readText(given.dialectSettings)).settings);
  const { dialectWalletCheck } = await import('../../rounds/wallets/walletCheck.ts');
  const facts = { player, token, expiredToken, currency, gameID, bet };
  const prepared = dialectWalletCheck({ url, timeoutMs, dialect, settings, ...facts });
  if (!prepared.ok) throw new StartError(prepared.issue);
  return prepared.check;
}

/** Ends the command, as commander does, when an option is missing. */
function required<Name extends keyof WalletCheckOptions>(
  command: Command,
  options: WalletCheckOptions,
  names: readonly Name[],
): { [Each in Name]: NonNullable<WalletCheckOptions[Each]> } {
  for (const name of names) {
    const option = command.options.find((each) => each.attributeName() === name);
    if (options[name] === undefined) command.error(`error: required option '${option?.flags}' not specified`);
  }
  return options as never;
}

function betOption(): Option {
  const option = new Option('--bet <units>', 'stake of one bet, for example 0.20; the balance must cover four of them');
  return option.argParser(parseBet).default(toMicros(MICROS_PER_UNIT), '1.00');
}

function parseBet(text: string): Micros {
  const micros = parseUnits(text);
  if (micros === 0) throw new InvalidArgumentError('A bet is more than 0.');
  return micros;
}

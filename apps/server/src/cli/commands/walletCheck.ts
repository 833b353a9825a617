import { MICROS_PER_UNIT, type Micros, toMicros } from '@roundhouse/contract';
import { runUntilStopped, StartError } from '@roundhouse/service';
import { checkWallet, createTextReport, failed, renderReportJson } from '@roundhouse/wallet-check';
import { Command, InvalidArgumentError, Option } from 'commander';
import { parseBaseUrl, parseUnits, readSecretFile } from '../options/options.ts';

type WalletCheckOptions = {
  secretFile: string;
  session: string;
  game: string;
  expiredSession?: string;
  bet: Micros;
  freeRounds: boolean;
  json: boolean;
};

export function walletCheckCommand(): Command {
  return new Command('wallet-check')
    .summary("check an operator's wallet against the protocol, rule by rule")
    .description(
      "Sends requests to an operator's wallet as the server would, well and wrongly signed, once and twice, and reports for every rule of the wallet protocol " +
        'whether it holds, with the requests and responses of those that do not. It bets with the balance of the session and rolls back what it can: ' +
        'use a test player. Exit code 0 when no rule fails, else 1.',
    )
    .argument('<url>', 'base URL of the wallet: what stands before /debit', parseBaseUrl)
    .requiredOption('--secret-file <file>', 'file with the secret that signs requests; "-" reads the standard input')
    .requiredOption('--session <id>', 'a live session of a test player at the operator')
    .option('--game <id>', 'the game that the session is for', 'wallet-check')
    .option('--expired-session <id>', 'a session that has timed out, to check that too')
    .addOption(betOption())
    .option('--free-rounds', 'the wallet knows free rounds: check that too', false)
    .option('--json', 'print the report as JSON', false)
    .action(walletCheck);
}

function walletCheck(url: string, options: WalletCheckOptions) {
  const { secretFile, session, game, expiredSession, bet, freeRounds, json } = options;
  return runUntilStopped(async ({ signal }) => {
    const secret = await readSecretFile(secretFile);
    const text = createTextReport();
    if (!json) process.stdout.write(`Wallet ${url}\n\n`);
    const outcome = await checkWallet({
      baseUrl: url,
      secret,
      sessionID: session,
      gameID: game,
      bet,
      freeRounds,
      signal,
      ...(expiredSession !== undefined && { expiredSessionID: expiredSession }),
      ...(!json && { onResult: (result) => process.stdout.write(text.result(result)) }),
    });
    if (!outcome.ok) throw new StartError(`The wallet at ${url} cannot be reached (${outcome.why}).`);
    if (failed(outcome.report)) process.exitCode = 1;
    process.stdout.write(json ? renderReportJson(url, outcome.report) : text.summary(outcome.report));
  });
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

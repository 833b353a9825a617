import type { CurrencyCode, Micros } from '@roundhouse/contract';
import { StartError } from '@roundhouse/service';
import { Command } from 'commander';
import { visible } from '../../base/terminal/visible.ts';
import { HOUSE_OPERATOR } from '../../rounds/sessions/launchSession.ts';
import { endSessionsOfPlayer, setDailyLimits, setLoginExpiry } from '../../store/rounds/players.ts';
import { parseCurrency } from '../options/currencies.ts';
import { addDatabaseOptions, parseMoment, parseUnitsOrNone } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

type LimitOptions = DatabaseChoice & {
  operator: string;
  currency: CurrencyCode;
  dailyWager?: Micros | 'none';
  dailyLoss?: Micros | 'none';
};

export function limitsCommand(): Command {
  return playerCommand('limits')
    .description(
      'Sets how much a player may wager and lose per day of UTC, in one currency. Beyond it play is ERR_GLE. Takes effect at once.',
    )
    .requiredOption('--currency <code>', 'currency of the limits', parseCurrency)
    .option(
      '--daily-wager <units>',
      'most that all bets of a day may add up to, for example 500.00, or "none"',
      parseUnitsOrNone,
    )
    .option('--daily-loss <units>', 'most that bets minus payouts of a day may come to, or "none"', parseUnitsOrNone)
    .action(async (externalID: string, options: LimitOptions) => {
      const { operator: operatorCode, currency, dailyWager, dailyLoss } = options;
      if (dailyWager === undefined && dailyLoss === undefined)
        throw new StartError('Nothing to set: give --daily-wager or --daily-loss.');
      const limits = {
        ...(dailyWager !== undefined && { wagerMicros: limitOf(dailyWager) }),
        ...(dailyLoss !== undefined && { lossMicros: limitOf(dailyLoss) }),
      };
      const isSet = await withDatabase(options, (db) =>
        setDailyLimits(db, { operatorCode, externalID, currency }, limits),
      );
      if (!isSet)
        throw new StartError(`Operator ${operatorCode} has no player ${externalID} with an account in ${currency}.`);
      console.log(`Limits of ${visible(externalID)} in ${currency} are set.`);
    });
}

function limitOf(limit: Micros | 'none'): Micros | null {
  return limit === 'none' ? null : limit;
}

export function loginExpiryCommand(): Command {
  return playerCommand('login-expiry')
    .description(
      'After that moment every request of the player is ERR_ATE, until it is set anew. Takes effect at once.',
    )
    .argument('<moment>', 'a time like 2030-01-31T12:00:00Z, or "now", or "never"', parseMoment)
    .action(async (externalID: string, moment: Date | null, options: DatabaseChoice & { operator: string }) => {
      const isSet = await withDatabase(options, (db) =>
        setLoginExpiry(db, { operatorCode: options.operator, externalID }, moment),
      );
      if (!isSet) throw new StartError(`Operator ${options.operator} has no player ${externalID}.`);
      console.log(
        moment === null
          ? `The login of ${visible(externalID)} does not expire.`
          : `The login of ${visible(externalID)} expires at ${moment.toISOString()}.`,
      );
    });
}

export function revokeCommand(): Command {
  return playerCommand('revoke')
    .description(
      'Ends the sessions of a player for good: every request is ERR_IS until a new one is issued. An open round stays open. Takes effect at once.',
    )
    .action(async (externalID: string, options: DatabaseChoice & { operator: string }) => {
      const count = await withDatabase(options, (db) =>
        endSessionsOfPlayer(db, { operatorCode: options.operator, externalID }),
      );
      if (count === undefined) throw new StartError(`Operator ${options.operator} has no player ${externalID}.`);
      console.log(`${count} ${count === 1 ? 'session' : 'sessions'} of ${visible(externalID)} revoked.`);
    });
}

function playerCommand(name: string): Command {
  return addDatabaseOptions(
    new Command(name)
      .argument('<player>', "the operator's name for the player")
      .option('--operator <code>', 'operator of the player', HOUSE_OPERATOR),
  );
}

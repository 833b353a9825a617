import { type FreeRoundTerms, type Micros, toMicros } from '@roundhouse/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { parseCurrency } from './currencies.ts';
import { parseInstant, parseUnits, wholeNumber } from './options.ts';

const MAX_INT = 2 ** 31 - 1;
const MAX_HOURS = 8760;

/** A command takes these options where it says what is given. */
export type TermsOptions = {
  games?: string[];
  mode: string;
  bet?: Record<string, Micros>;
  rounds?: number;
  starts?: Date;
  ends?: Date;
  playWithin?: number;
  automatic: boolean;
  paidAtEnd: boolean;
};

export function addTermsOptions(command: Command): Command {
  return command
    .option('--games <list>', 'games that it can be played in, for example my-game,another', (text) => text.split(','))
    .option('--mode <mode>', 'bet mode', 'BASE')
    .option('--bet <bet>', 'base bet of each round, for example USD=1.00; one currency each time', collectBets)
    .option(
      '--rounds <count>',
      'rounds that each player gets',
      wholeNumber({ least: 1, most: MAX_INT, unit: ' of rounds' }),
    )
    .option('--starts <time>', 'no round is played before, like 2030-01-31T12:00:00Z (default: now)', parseInstant)
    .option('--ends <time>', 'no round is opened from then on', parseInstant)
    .option(
      '--play-within <hours>',
      'a grant expires this long after it was given',
      wholeNumber({ least: 1, most: MAX_HOURS, unit: ' of hours' }),
    )
    .option('--automatic', 'a play of the mode and bet takes a round, for games that know no grants', false)
    .option('--paid-at-end', 'pay all wins together when the grant ends', false);
}

/** Returns what the options say, as a request to the operator API has it. */
export function termsOf(options: TermsOptions): Partial<FreeRoundTerms> {
  const { games, mode, bet, rounds, starts, ends, playWithin, automatic, paidAtEnd } = options;
  return {
    mode,
    automatic,
    paidAtEnd,
    ...(games && { gameIDs: games }),
    ...(bet && { bets: bet }),
    ...(rounds !== undefined && { rounds }),
    ...(starts && { startsAt: starts.toISOString() }),
    ...(ends && { endsAt: ends.toISOString() }),
    ...(playWithin !== undefined && { playWithinHours: playWithin }),
  };
}

function collectBets(text: string, before: Record<string, Micros> = {}): Record<string, Micros> {
  const [, code, units] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (code === undefined || units === undefined) throw new InvalidArgumentError('A bet is written like USD=1.00.');
  return { ...before, [parseCurrency(code)]: toMicros(parseUnits(units)) };
}

import { randomUUID } from 'node:crypto';
import {
  type CurrencyCode,
  DEFAULT_TEST_BALANCE,
  DEVICES,
  type Device,
  LANGUAGES,
  type Language,
  type Micros,
  toMicros,
} from '@roundhouse/contract';
import { StartError } from '@roundhouse/service';
import { Command, Option } from 'commander';
import { type Address, publicAddress } from '../../base/address.ts';
import { isElsewhere } from '../../rounds/sessions/admission.ts';
import { HOUSE_OPERATOR, issueSession } from '../../rounds/sessions/launchSession.ts';
import type { StartSessionRefusal } from '../../rounds/sessions/startSession.ts';
import type { Database } from '../../store/database/database.ts';
import { listPublishedVersions } from '../../store/rounds/games.ts';
import { parseCurrency } from '../options/currencies.ts';
import { addDatabaseOptions, parseCountry, parseUnits } from '../options/options.ts';
import { publicUrlOption } from '../options/serveOptions.ts';
import { type DatabaseChoice, noAddressText, type ServerBeside, withDatabase } from '../options/withDatabase.ts';

const PATIENCE_MS = 2_000;

type SessionOptions = DatabaseChoice & {
  game?: string;
  gameVersion?: string;
  player?: string;
  operator: string;
  currency?: CurrencyCode;
  country?: string;
  balance?: Micros;
  language: Language;
  device: Device;
  social: boolean;
  rgsUrl?: string;
};

export function sessionCommand(): Command {
  return addDatabaseOptions(
    new Command('session')
      .description(
        'Issues a session of the house wallet and prints its launch URL. A player whose name is new is made; without --player it is a new one.',
      )
      .option('--game <id>', 'game (default: the one published last)')
      .option('--game-version <version>', 'its version (default: the one published last and not withdrawn)')
      .option('--player <name>', 'the same name is the same player again')
      .option('--operator <code>', 'operator of the player', HOUSE_OPERATOR)
      .option('--currency <code>', 'currency (default: the first that the game is offered in)', parseCurrency)
      .option('--country <code>', 'where the player is, for example FI', parseCountry)
      .option('--balance <units>', 'set the balance, for example 250.00 (a new player has 1000)', parseUnits)
      .addOption(new Option('--language <code>', 'display language').choices(Object.keys(LANGUAGES)).default('en'))
      .addOption(new Option('--device <kind>', 'kind of device').choices(DEVICES).default('desktop'))
      .option('--social', 'social casino mode', false)
      .addOption(
        publicUrlOption(
          '--rgs-url <url>',
          'address of the server for browsers (default: that of the server on --data, if it uses this database)',
        ),
      ),
  ).action((options: SessionOptions) => withDatabase(options, (db, beside) => session(db, options, beside)));
}

async function session(db: Database, options: SessionOptions, beside: ServerBeside): Promise<void> {
  const running = beside.usesDatabase ? beside.server : undefined;
  const rgsUrl = options.rgsUrl ?? running?.url;
  if (rgsUrl === undefined) throw new StartError(noAddressText(beside, options));
  const version = await chooseVersion(db, options);
  const address = publicAddress(rgsUrl);
  const frontendUrl = options.rgsUrl === undefined ? running?.frontendUrl : undefined;
  const currency = options.currency ?? version.currencies[0];
  if (currency === undefined) throw new StartError(`${version.gameID} is not offered in any currency.`);
  const issued = await issueSession(db, {
    operatorCode: options.operator,
    playerExternalID: options.player ?? `player-${randomUUID()}`,
    gameID: version.gameID,
    gameVersion: version.version,
    currency,
    country: options.country,
    social: options.social,
    openingBalance: toMicros(DEFAULT_TEST_BALANCE),
    setBalanceTo: options.balance,
    jurisdiction: {},
    launch: {
      gameHost: address.url,
      frontendUrl,
      rgsUrl: address.rgsUrl,
      language: options.language,
      device: options.device,
    },
  });
  if (!issued.ok) {
    if (isElsewhere(issued)) throw new StartError(issued.detail);
    throw new StartError(issued.detail ?? SESSION_REFUSALS[issued.refusal]);
  }
  const page = frontendUrl === undefined ? issued.url.replace(/\?.*$/s, '') : undefined;
  console.log(page !== undefined && (await isMissing(page)) ? sessionAlone(page, issued, address) : issued.url);
}

/** The server may be out of reach from here. Then the page counts as there. */
async function isMissing(page: string): Promise<boolean> {
  const options = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) } as const;
  return (await fetch(page, options).catch(() => undefined))?.status === 404;
}

function sessionAlone(page: string, { sessionID }: { sessionID: string }, { rgsUrl }: Address): string {
  return [
    `There is no page to open: ${page} is 404, so the game has no front end on this server.`,
    'A front end of yours, or a request of the game protocol, takes this session:',
    `  sessionID  ${sessionID}`,
    `  rgs_url    ${rgsUrl}`,
  ].join('\n');
}

const SESSION_REFUSALS: Readonly<Record<StartSessionRefusal, string>> = {
  unknown_operator: 'There is no such operator. `roundhouse operator list` shows them.',
  unknown_game: 'This version of the game is not published.',
  currency_not_offered: 'The game is not offered in this currency.',
  player_name: 'The name of a player is one line without control characters.',
  rtp_too_low: 'A mode of the game returns less than the jurisdiction demands.',
  session_taken: 'There is a session of this id already.',
};

async function chooseVersion(db: Database, { game, gameVersion }: SessionOptions) {
  const versions = await listPublishedVersions(db);
  const chosen = versions.findLast(
    ({ gameID, version, isWithdrawn }) =>
      gameID === (game ?? gameID) && (gameVersion === undefined ? !isWithdrawn : version === gameVersion),
  );
  if (chosen !== undefined) return chosen;
  const names = versions.map(({ gameID, version }) => `${gameID} ${version}`);
  throw new StartError(
    names.length === 0 ? 'No game is published yet.' : `No such game. Published: ${names.join(', ')}.`,
  );
}

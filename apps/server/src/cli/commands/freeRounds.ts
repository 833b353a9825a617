import { readFile } from 'node:fs/promises';
import {
  type Campaign,
  type CurrencyCode,
  createCampaignRequestSchema,
  GRANT_STATES,
  type GrantState,
  giveGrantsRequestSchema,
  MAX_GRANTS_PER_PAGE,
  type OperatorGrant,
} from '@roundhouse/contract';
import { StartError } from '@roundhouse/service';
import { Command, Option } from 'commander';
import type * as z from 'zod';
import { reasonOf } from '../../base/reason.ts';
import { visible } from '../../base/terminal/visible.ts';
import { writeUnits } from '../../base/terminal/writeAmounts.ts';
import { cancelCampaign, createCampaign, listCampaigns, readCampaign } from '../../rounds/freeRounds/campaigns.ts';
import { cancelGrant, giveGrants, listGrants, readGrant } from '../../rounds/freeRounds/grants.ts';
import type { FreeRoundsRefused, OperatorKey } from '../../rounds/freeRounds/terms.ts';
import type { Elsewhere } from '../../rounds/sessions/admission.ts';
import { HOUSE_OPERATOR } from '../../rounds/sessions/launchSession.ts';
import type { Database } from '../../store/database/database.ts';
import { findOperatorID } from '../../store/operators/operators.ts';
import { parseCurrency } from '../options/currencies.ts';
import { addTermsOptions, type TermsOptions, termsOf } from '../options/freeRoundTerms.ts';
import { addDatabaseOptions, wholeNumber } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

type Choice = DatabaseChoice & { operator: string };
type ListOptions = Choice & { limit: number; player?: string; campaign?: string; state?: GrantState };
type GiveOptions = Choice &
  TermsOptions & { campaign?: string; grant?: string; player?: string; currency?: CurrencyCode; file?: string };

const DEFAULT_LIMIT = 100;

export function freeRoundsCommand(): Command {
  return new Command('free-rounds')
    .description(
      'A campaign says what is given. A grant is the free rounds of one player: the operator pays their bets. The rules are those of the operator API: ' +
        'the same command again gives nothing twice.',
    )
    .addCommand(
      new Command('campaign')
        .summary('make, show and cancel campaigns')
        .addCommand(addCampaignCommand())
        .addCommand(listCampaignsCommand())
        .addCommand(showCampaignCommand())
        .addCommand(cancelCampaignCommand()),
    )
    .addCommand(giveCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(cancelCommand());
}

function addCampaignCommand(): Command {
  const command = addTermsOptions(newCommand('add', 'make a campaign').argument('<campaignID>', 'id of the operator'));
  return command.action(async (campaignID: string, options: Choice & TermsOptions) => {
    const request = parsed(createCampaignRequestSchema, { ...termsOf(options), campaignID });
    const made = await withOperator(options, (db, operator) => createCampaign(db, { ...operator, request }));
    console.log(describeCampaign(accepted(made).campaign));
  });
}

function listCampaignsCommand(): Command {
  return limited(newCommand('list', 'show the campaigns, the newest first')).action(async (options: ListOptions) => {
    const page = { before: undefined, limit: options.limit };
    const { campaigns } = await withOperator(options, (db, operator) => listCampaigns(db, { ...operator, ...page }));
    console.log(campaigns.length === 0 ? 'No campaign.' : campaigns.map(describeCampaign).join('\n'));
  });
}

function showCampaignCommand(): Command {
  const command = newCommand('show', 'show a campaign').argument('<campaignID>', 'which one');
  return command.action(async (campaignID: string, options: Choice) => {
    const found = await withOperator(options, (db, operator) => readCampaign(db, { ...operator, campaignID }));
    console.log(describeCampaign(accepted(found).campaign));
  });
}

function cancelCampaignCommand(): Command {
  const command = reasoned(newCommand('cancel', 'give nothing any more, and take what is unused'))
    .description('Open rounds are still played and paid. It can be repeated.')
    .argument('<campaignID>', 'which one');
  return command.action(async (campaignID: string, { reason, ...choice }: Choice & { reason?: string }) => {
    const cancelled = await withOperator(choice, (db, operator) =>
      cancelCampaign(db, { ...operator, campaignID, reason }),
    );
    console.log(describeCampaign(accepted(cancelled).campaign));
  });
}

function giveCommand(): Command {
  const command = addTermsOptions(newCommand('give', 'give free rounds to players'))
    .description('Gives what a campaign says, or what the options say. All grants are given, or none.')
    .option('--campaign <campaignID>', 'give what it says')
    .option('--grant <grantID>', "the operator's own id of the grant, for one player")
    .option('--player <name>', 'the player; a new one is created')
    .option('--currency <code>', 'currency of the player', parseCurrency)
    .addOption(
      new Option(
        '--file <file>',
        'many players: JSON, a list of {"grantID", "playerID", "currency"}, as in a request to the operator API',
      ).conflicts(['grant', 'player', 'currency']),
    );
  return command.action(async (options: GiveOptions) => {
    const { campaign: campaignID, grant: grantID, player: playerID, currency, file } = options;
    const grants = file === undefined ? [{ grantID, playerID, currency }] : await readGrants(file);
    const what = campaignID === undefined ? { terms: termsOf(options) } : { campaignID };
    const request = parsed(giveGrantsRequestSchema, { ...what, grants });
    const given = await withOperator(options, (db, operator) => giveGrants(db, { ...operator, request }));
    const { grants: all } = accepted(given);
    console.log(`${all.length} ${all.length === 1 ? 'player has' : 'players have'} free rounds.`);
  });
}

function listCommand(): Command {
  const command = limited(newCommand('list', 'show grants, the newest first'))
    .option('--player <name>', 'of this player')
    .option('--campaign <campaignID>', 'of this campaign')
    .addOption(new Option('--state <state>', 'in this state').choices(GRANT_STATES));
  return command.action(async ({ player: playerID, campaign: campaignID, state, limit, ...choice }: ListOptions) => {
    const { grants } = await withOperator(choice, (db, operator) =>
      listGrants(db, { ...operator, playerID, campaignID, state, limit, before: undefined }),
    );
    console.log(grants.length === 0 ? 'No grant.' : grants.map(describeGrant).join('\n'));
  });
}

function showCommand(): Command {
  const command = newCommand('show', 'show a grant').argument('<grantID>', 'which one');
  return command.action(async (grantID: string, options: Choice) => {
    const found = await withOperator(options, (db, operator) => readGrant(db, { ...operator, grantID }));
    console.log(describeGrant(accepted(found).grant));
  });
}

function cancelCommand(): Command {
  const command = reasoned(newCommand('cancel', 'take the unused rounds of a grant'))
    .description('An open round is still played and paid. It can be repeated.')
    .argument('<grantID>', 'which one');
  return command.action(async (grantID: string, { reason, ...choice }: Choice & { reason?: string }) => {
    const cancelled = await withOperator(choice, (db, operator) => cancelGrant(db, { ...operator, grantID, reason }));
    console.log(describeGrant(accepted(cancelled).grant));
  });
}

function newCommand(name: string, summary: string): Command {
  return addDatabaseOptions(
    new Command(name).summary(summary).option('--operator <code>', 'operator that gives', HOUSE_OPERATOR),
  );
}

function limited(command: Command): Command {
  const range = { least: 1, most: MAX_GRANTS_PER_PAGE };
  return command.option('--limit <count>', 'the largest number of them', wholeNumber(range), DEFAULT_LIMIT);
}

function reasoned(command: Command): Command {
  return command.option('--reason <text>', 'why, for the log of significant events');
}

async function withOperator<Value>(
  choice: Choice,
  work: (db: Database, operator: OperatorKey) => Promise<Value>,
): Promise<Value> {
  return withDatabase(choice, async (db) => {
    const operatorID = await findOperatorID(db, choice.operator);
    if (operatorID === undefined) throw new StartError(`There is no operator ${choice.operator}.`);
    return work(db, { operatorID, operatorCode: choice.operator });
  });
}

function accepted<Accepted extends { ok: true }>(outcome: Accepted | FreeRoundsRefused | Elsewhere): Accepted {
  if (outcome.ok) return outcome;
  throw new StartError(outcome.refusal === 'unknown' ? outcome.detail : `Nothing was done: ${outcome.detail}`);
}

/** Holds the options to the rules of a request to the operator API. */
function parsed<Value>(schema: z.ZodType<Value>, request: unknown): Value {
  const { data, error } = schema.safeParse(request);
  if (data !== undefined) return data;
  const { path = [], message = 'is not valid' } = error?.issues[0] ?? {};
  throw new StartError(`Nothing was done: ${[path.join('.'), message].filter(Boolean).join(': ')}`);
}

async function readGrants(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new StartError(`${file}: ${reasonOf(error)}.`);
  }
}

function describeCampaign(campaign: Campaign): string {
  const { campaignID, state, gameIDs, mode, bets, rounds, startsAt, endsAt, grants, used, left } = campaign;
  const amounts = Object.entries(bets).map(([currency, bet]) => `${writeUnits(bet)} ${currency}`);
  return [
    `${visible(campaignID)}  ${state}: ${rounds} rounds of ${gameIDs.join(', ')} in ${mode}, bet ${amounts.join(', ')}`,
    `  from ${startsAt} to ${endsAt}; ${grants} grants, ${used} rounds used, ${left} left`,
  ].join('\n');
}

function describeGrant(grant: OperatorGrant): string {
  const { grantID, state, playerID, currency, gameIDs, mode, amount, given, used, left, won, expiresAt } = grant;
  return [
    `${visible(grantID)}  ${state}: ${given} rounds for ${visible(playerID)}, ${gameIDs.join(', ')} in ${mode}, bet ${writeUnits(amount)} ${currency}`,
    `  ${used} used, ${left} left, won ${writeUnits(won)} ${currency}; expires ${expiresAt}`,
  ].join('\n');
}

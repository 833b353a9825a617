import { isDeepStrictEqual } from 'node:util';
import {
  type GiveGrantsRequest,
  type GivenGrant,
  isStorableText,
  type ListGrantsQuery,
  type NewGrant,
  type OperatorGrant,
  toMicros,
} from '@roundhouse/contract';
import type { Asked } from '@roundhouse/fleet';
import { retryConflicts, sqlState, UNIQUE_VIOLATION } from '@roundhouse/service';
import { MS_PER_HOUR } from '../../base/durations.ts';
import { type Database, databaseClock } from '../../store/database/database.ts';
import { findCampaign, type StoredCampaign, type StoredTerms } from '../../store/rounds/campaigns.ts';
import {
  cancelGrantRows,
  findGrants,
  type GrantsToGive,
  insertGrants,
  listChangedGrants,
  listGrantRows,
  type StoredGrant,
} from '../../store/rounds/grants.ts';
import { findKnownPlayers } from '../../store/rounds/players.ts';
import { actAs, recordEvent } from '../../store/watch/significantEvents.ts';
import { type Elsewhere, placePlayers } from '../sessions/admission.ts';
import { noSuchCampaign } from './campaigns.ts';
import { type Asking, type FreeRoundsRefused, invalid, judgeTerms, type OperatorKey, storedTerms } from './terms.ts';

export type GivenOutcome = { ok: true; grants: GivenGrant[] } | FreeRoundsRefused | Elsewhere;

type Giving = Asking & {
  request: GiveGrantsRequest;
  /** The cells of the fleet that have refused the request before. */
  asked?: readonly Asked[] | undefined;
  /** Refuses players whom the server does not know yet: a name may be mistyped. */
  onlyKnown?: boolean;
};

/**
 * Time limit in milliseconds. Ten thousand grants take a second or two; a busy disk may take
 * longer.
 */
const GIVE_TIMEOUT_MS = 60_000;

/**
 * Gives all grants of a request, or none. Grants that were given before with the same content stay
 * as they are. So a request can be repeated, even after its campaign has ended.
 */
export async function giveGrants(db: Database, giving: Giving): Promise<GivenOutcome> {
  const { operatorID, request } = giving;
  const twice = firstTwice(request.grants);
  if (twice !== undefined) return invalid({ field: 'grants', text: `grantID ${twice} is there twice` });
  const { campaignID } = request;
  const campaign = campaignID === undefined ? undefined : await findCampaign(db, { operatorID, campaignID });
  if (campaignID !== undefined && campaign === undefined) return noSuchCampaign();
  // Another request may give some of them at the same moment. Each turn then finds more of them
  // given, or another version of the fleet.
  for (;;) {
    const externalIDs = request.grants.map(({ playerID }) => playerID);
    const placed = await placePlayers(db, { ...giving, externalIDs });
    if (!placed.ok)
      return placed.refusal === 'several_cells' ? invalid({ field: 'grants', text: placed.detail }) : placed;
    const { fleetVersion } = placed;
    const known = await findGrants(db, { operatorID, grantIDs: request.grants.map(({ grantID }) => grantID) });
    const other = request.grants.find((grant) => !isSame(known.get(grant.grantID), grant, request));
    if (other !== undefined)
      return { ok: false, refusal: 'taken', detail: `grants: grantID ${other.grantID} was used for another grant` };
    const missing = request.grants.filter(({ grantID }) => !known.has(grantID));
    if (missing.length === 0)
      return { ok: true, grants: request.grants.map(({ grantID }) => givenOnWire(known.get(grantID) as StoredGrant)) };
    const strangers = giving.onlyKnown ? await findStrangers(db, giving, missing) : [];
    if (strangers.length > 0) return invalid({ field: 'newPlayers', text: strangersText(strangers) });
    const refused = await giveMissing(db, { ...giving, campaign, missing, fleetVersion });
    if (refused !== undefined) return refused;
  }
}

async function findStrangers(db: Database, { operatorID }: OperatorKey, grants: readonly NewGrant[]) {
  const names = [...new Set(grants.map(({ playerID }) => playerID))];
  const known = new Set((await findKnownPlayers(db, { operatorID }, names)).map(({ externalID }) => externalID));
  return names.filter((name) => !known.has(name));
}

function strangersText([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return `the server does not know player ${first} yet`;
  return `the server does not know ${others.length + 1} of these players yet, the first is ${first}`;
}

function firstTwice(grants: readonly NewGrant[]): string | undefined {
  const seen = new Set<string>();
  return grants.find(({ grantID }) => seen.size === seen.add(grantID).size)?.grantID;
}

/** Without a stored grant nothing differs. */
function isSame(stored: StoredGrant | undefined, grant: NewGrant, { campaignID, terms }: GiveGrantsRequest): boolean {
  if (stored === undefined) return true;
  if (stored.playerID !== grant.playerID || stored.currency !== grant.currency) return false;
  if (stored.campaignID !== (campaignID ?? null)) return false;
  return terms === undefined || isOfTerms(stored, storedTerms(terms, stored.createdAt));
}

function isOfTerms(stored: StoredGrant, terms: StoredTerms): boolean {
  const { gameIDs, mode, automatic, paidAtEnd, startsAt, expiresAt, createdAt } = stored;
  return isDeepStrictEqual(
    [gameIDs, mode, Number(stored.amount), stored.given, automatic, paidAtEnd, startsAt, expiresAt],
    [
      ...[terms.gameIDs, terms.mode, terms.bets[stored.currency], terms.rounds, terms.automatic, terms.paidAtEnd],
      ...[terms.startsAt, expiryOf(terms, createdAt)],
    ],
  );
}

function expiryOf({ endsAt, playWithinHours }: StoredTerms, givenAt: Date): Date {
  if (playWithinHours === null) return endsAt;
  return new Date(Math.min(endsAt.getTime(), givenAt.getTime() + playWithinHours * MS_PER_HOUR));
}

type Missing = Giving & {
  campaign: StoredCampaign | undefined;
  missing: readonly NewGrant[];
  fleetVersion: number | undefined;
};

/**
 * Returns undefined when they are given, when another request has given some of them, and when the
 * fleet has changed.
 */
async function giveMissing(
  db: Database,
  { campaign, missing, request, fleetVersion, ...asking }: Missing,
): Promise<FreeRoundsRefused | undefined> {
  const now = await databaseClock(db);
  const all = campaign ?? (request.terms && storedTerms(request.terms, now));
  if (all === undefined) throw new Error('a request has a campaign or terms');
  if (campaign?.cancelledAt) return cancelledCampaign();
  const without = missing.find(({ currency }) => all.bets[currency] === undefined);
  if (without !== undefined) return invalid({ field: 'grants', text: `there is no bet in ${without.currency}` });
  const currencies = new Set(missing.map(({ currency }) => currency));
  const bets = Object.fromEntries(Object.entries(all.bets).filter(([currency]) => currencies.has(currency)));
  const terms = { ...all, bets };
  const judged = await judgeTerms(db, { ...asking, terms, now });
  if (!judged.ok) return judged;
  const expiresAt = expiryOf(terms, now);
  if (expiresAt <= terms.startsAt)
    return invalid({ field: 'playWithinHours', text: 'the grants would expire before they start' });
  return store(db, asking, {
    operatorID: asking.operatorID,
    campaignRowID: campaign?.rowID ?? null,
    grants: missing.map((grant) => ({ ...grant, amount: bets[grant.currency] as number })),
    gameRowIDs: judged.gameRowIDs,
    mode: terms.mode,
    rounds: terms.rounds,
    automatic: terms.automatic,
    paidAtEnd: terms.paidAtEnd,
    startsAt: terms.startsAt,
    expiresAt,
    now,
    fleetVersion,
  });
}

async function store(
  db: Database,
  { actor, operatorCode }: Asking,
  give: GrantsToGive,
): Promise<FreeRoundsRefused | undefined> {
  const run = () =>
    db.$transaction(
      async (tx) => {
        if (actor !== undefined) await actAs(tx, actor);
        const inserted = await insertGrants(tx, give);
        if (inserted === 'cancelled') return cancelledCampaign();
        // It is thrown so that the transaction is rolled back.
        if (inserted === 'fleet_changed') throw new FleetChanged();
        await recordEvent(tx, {
          kind: 'grants_given',
          subject: `operator ${operatorCode}`,
          after: { grants: give.grants.length, first: give.grants[0]?.grantID, rounds: give.rounds, mode: give.mode },
        });
        return undefined;
      },
      { timeout: GIVE_TIMEOUT_MS },
    );
  try {
    return await retryConflicts(run);
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return undefined;
    if (error instanceof FleetChanged) {
      await db.fleet.reread();
      return undefined;
    }
    throw error;
  }
}

/** The database has another version of the fleet than this node, or a player has moved. */
class FleetChanged extends Error {
  override name = 'FleetChanged';
}

function cancelledCampaign(): FreeRoundsRefused {
  return invalid({ field: 'campaignID', text: 'the campaign is cancelled' });
}

export type GrantOutcome = { ok: true; grant: OperatorGrant } | FreeRoundsRefused;

export type GrantKey = OperatorKey & { grantID: string };

export async function readGrant(db: Database, key: GrantKey): Promise<GrantOutcome> {
  const found = await findGrant(db, key);
  return found === undefined ? noSuchGrant() : { ok: true, grant: grantOnWire(found) };
}

async function findGrant(db: Database, { operatorID, grantID }: GrantKey): Promise<StoredGrant | undefined> {
  if (!isStorableText(grantID)) return undefined;
  return (await findGrants(db, { operatorID, grantIDs: [grantID] })).get(grantID);
}

/**
 * Cancels the unused rounds of a grant. An open round is still played and paid. It can be repeated.
 */
export async function cancelGrant(
  db: Database,
  { reason, ...key }: GrantKey & { reason?: string | undefined },
): Promise<GrantOutcome> {
  const found = await findGrant(db, key);
  if (found === undefined) return noSuchGrant();
  const run = () =>
    db.$transaction(async (tx) => {
      if (key.actor !== undefined) await actAs(tx, key.actor);
      if ((await cancelGrantRows(tx, [found.rowID])) === 0) return;
      await recordEvent(tx, {
        kind: 'grant_cancelled',
        subject: `grant ${key.grantID} of operator ${key.operatorCode}`,
        after: { reason },
      });
    });
  await retryConflicts(run);
  return readGrant(db, key);
}

function noSuchGrant(): FreeRoundsRefused {
  return { ok: false, refusal: 'unknown', detail: 'there is no such grant of this operator' };
}

type GrantsPage = Omit<ListGrantsQuery, 'cursor'> & { operatorID: number; before: bigint | undefined };

/** The next page begins before the row `next`; undefined on the last page. */
export async function listGrants(
  db: Database,
  { operatorID, playerID, campaignID, state, before, limit }: GrantsPage,
): Promise<{ grants: OperatorGrant[]; rowIDs: bigint[]; next: bigint | undefined }> {
  const rows = await listGrantRows(db, { operatorID, playerID, campaignID, state, before, limit: limit + 1 });
  const grants = rows.slice(0, limit);
  const rowIDs = grants.map(({ rowID }) => rowID);
  return { grants: grants.map(grantOnWire), rowIDs, next: rows.length > limit ? rowIDs.at(-1) : undefined };
}

/** `changes` has the number of each change; the next page begins after the last one. */
export async function listGrantChanges(
  db: Database,
  page: { operatorID: number; after: bigint; limit: number },
): Promise<{ grants: OperatorGrant[]; changes: bigint[] }> {
  const changed = await listChangedGrants(db, page);
  return { grants: changed.map(grantOnWire), changes: changed.map(({ changeSeq }) => changeSeq as bigint) };
}

function givenOnWire({ grantID, playerID, currency, amount, given, startsAt, expiresAt }: StoredGrant): GivenGrant {
  return {
    grantID,
    playerID,
    currency,
    amount: toMicros(amount),
    given,
    startsAt: startsAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

function grantOnWire({ rowID: _row, changeSeq: _seq, ...grant }: StoredGrant): OperatorGrant {
  return {
    ...grant,
    amount: toMicros(grant.amount),
    won: toMicros(grant.won),
    startsAt: grant.startsAt.toISOString(),
    expiresAt: grant.expiresAt.toISOString(),
    createdAt: grant.createdAt.toISOString(),
    endedAt: grant.endedAt?.toISOString() ?? null,
  };
}

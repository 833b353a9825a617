import type { Grant, GrantDecision } from '@roundhouse/contract';
import { type Outcome, refused } from '../base/refusal.ts';
import { batchCommand, jsonb, text } from '../store/database/batchCommand.ts';
import {
  ACCEPTED_DEBIT,
  BET,
  FAIR_COLUMNS,
  grantsOf,
  NO_SESSION,
  OPENED_ROUND,
  type OpenRoundOutcome,
  openedRound,
  SESSION,
} from './commands.ts';

// The commands that only free rounds need. A grantID is the operator's id of a grant.

/**
 * Opens a round of a grant: of the named one, or of an automatic one. If no grant is named, and no
 * automatic one fits, it opens a round that the player pays.
 */
export const openFreeRounds = batchCommand({
  name: 'open_free_rounds',
  columns: { ...BET, grantID: text.as<string | undefined>() },
  returns: { ...OPENED_ROUND, grant_id: text.as<string | null>() },
  outcomeOf: (row): OpenRoundOutcome => {
    const opened = openedRound(row);
    return opened.ok ? { ...opened, grantID: row.grant_id ?? undefined } : opened;
  },
  withoutRow: NO_SESSION,
  repeats: 'finds_first_run_by_batch',
  rare: FAIR_COLUMNS,
});

/** Settles debits of free rounds that the operator has accepted, as acceptDebits does. */
export const acceptFreeDebits = batchCommand({
  ...ACCEPTED_DEBIT,
  name: 'accept_free_debits',
  columns: { playerID: SESSION.playerID, ...ACCEPTED_DEBIT.columns },
});

/**
 * Accepts or declines a grant of the session's player. Returns the open grants of the session's
 * game, and the named one.
 */
export const decideGrants = batchCommand({
  name: 'decide_grants',
  columns: { ...SESSION, grantID: text.as<string | undefined>(), decision: text.as<GrantDecision | undefined>() },
  returns: { outcome: text, grants: jsonb.as<Grant[] | null>() },
  outcomeOf: (row): Outcome<{ grants: Grant[] }> =>
    row.outcome === 'decided' ? { ok: true, grants: grantsOf(row) } : refused(row.outcome),
  withoutRow: NO_SESSION,
});

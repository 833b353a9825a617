import type { Role } from '@roundhouse/contract/admin-routes';
import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';

/** Both are emails. `by` has made the user, or a link for the user, or given the user a role. */
export type UserTie = { user: string; by: string };

const DAYS = 7;

/**
 * Reads from the log of significant events who has had power over whom in the last 7 days: added a
 * user, made a link, changed role or operator, or enabled the user again. The actor of an approved
 * change is its requester. What a command does ties nobody.
 */
export function listUserTies(db: Pick<Database, '$queryRaw'>): Promise<UserTie[]> {
  return db.$queryRaw<UserTie[]>`
    SELECT DISTINCT substr(subject, 6) AS "user", substr(actor, 6) AS by
    FROM significant_events
    WHERE kind IN ('user_changed', 'user_link_made') AND at > now() - ${DAYS} * interval '1 day'
      AND starts_with(subject, 'user ') AND starts_with(actor, 'user:') AND substr(subject, 6) <> substr(actor, 6)
      AND (kind = 'user_link_made' OR value_before IS NULL
        OR jsonb_exists_any(value_after::jsonb, '{role,operator_id}') OR value_after::jsonb ->> 'disabled' = 'false')`;
}

export type Rights = {
  /** Each may send the request. */
  roles: readonly Role[];
  /** Users of this operator may also send it; undefined: only users of the server. */
  operatorID: number | undefined;
};

/** Lists the emails of users who have one of these roles, and may sign in. */
export async function listEntitledUsers(
  db: Pick<Database, '$queryRaw'>,
  { roles, operatorID }: Rights,
): Promise<string[]> {
  const orOfOperator = operatorID === undefined ? Prisma.empty : Prisma.sql`OR operator_id = ${operatorID}`;
  const rows = await db.$queryRaw<{ email: string }[]>`
    SELECT email
    FROM console_users
    WHERE NOT disabled AND role = ANY (${[...roles]}) AND (operator_id IS NULL ${orOfOperator})`;
  return rows.map(({ email }) => email);
}

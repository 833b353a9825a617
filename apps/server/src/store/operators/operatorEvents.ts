import { Prisma } from '../generated/client.ts';

/**
 * Selects the significant events that are certainly about an operator, and no others. The subject
 * says it, or the row that the subject names does; an event whose row is gone is about nobody.
 * Names of players may hold any text, so the operator is read at the end of a subject, where its
 * code is: a code has no space.
 */
export function aboutOperator({ operatorID, operatorCode }: { operatorID: number; operatorCode: string }): Prisma.Sql {
  const subject = `operator ${operatorCode}`;
  const end = ` of ${subject}`;
  return Prisma.sql`
    CASE
      WHEN actor = ${`operator:${operatorCode}`} THEN true
      WHEN subject = ${subject} OR starts_with(subject, ${`${subject} in `}) THEN true
      WHEN subject ~ '^(player|grant|campaign|request) ' THEN right(subject, ${end.length}) = ${end}
      WHEN subject ~ '^account [0-9]{1,18} ' THEN EXISTS (
        SELECT FROM accounts a
        WHERE a.id = split_part(subject, ' ', 2)::bigint AND a.operator_id = ${operatorID}
      )
      WHEN subject ~ '^(archived )?(round|event [0-9]+ of round) [0-9]{1,18}$' THEN EXISTS (
        SELECT FROM all_rounds r
        JOIN accounts a ON a.id = r.account_id
        WHERE r.id = substring(subject FROM '[0-9]+$')::bigint AND a.operator_id = ${operatorID}
      )
      WHEN subject ~ '^(archived )?wallet transaction [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN EXISTS (
        SELECT FROM all_wallet_transactions w
        JOIN all_rounds r ON r.id = w.round_id
        JOIN accounts a ON a.id = r.account_id
        WHERE w.transaction_id = right(subject, 36)::uuid AND a.operator_id = ${operatorID}
      )
      WHEN subject ~ '^session [0-9]{1,18}$' THEN EXISTS (
        SELECT FROM sessions s
        JOIN players p ON p.id = s.player_id
        WHERE s.id = split_part(subject, ' ', 2)::bigint AND p.operator_id = ${operatorID}
      )
      WHEN subject ~ '^approval [0-9]{1,18}$' THEN EXISTS (
        SELECT FROM console_approvals c
        WHERE c.id = split_part(subject, ' ', 2)::bigint AND c.operator_id = ${operatorID}
      )
      WHEN starts_with(subject, 'user ') THEN subject NOT IN (${MOVED_USERS}) AND EXISTS (
        SELECT FROM console_users u
        WHERE u.email = substr(subject, 6) AND u.operator_id = ${operatorID}
      )
      ELSE false
    END`;
}

/**
 * Users who have belonged to another operator, or to the server: their older events are not ours.
 */
const MOVED_USERS = Prisma.sql`
  SELECT m.subject
  FROM significant_events m
  WHERE m.kind = 'user_changed' AND m.value_before::jsonb -> 'operator_id' IS NOT NULL`;

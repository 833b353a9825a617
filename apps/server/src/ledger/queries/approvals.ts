import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { recordEvent } from './significantEvents.ts';

type ApprovalState = 'waiting' | 'approved' | 'rejected' | 'expired';

/** A request that waits for a second user, or has waited. */
export type StoredApproval = {
  approvalID: bigint;
  route: string;
  operator: string | null;
  params: Record<string, string>;
  body: unknown;
  state: ApprovalState;
  /** The user who wants it. */
  requestedBy: string;
  requesterID: string;
  requestedAt: Date;
  expiresAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  reason: string | null;
};

export type WantedApproval = Pick<StoredApproval, 'route' | 'params' | 'body' | 'requestedBy' | 'requesterID'> & {
  /** The requester belongs to this operator. */
  operatorID: number | undefined;
};

const HOURS = 24;

const SELECT_APPROVALS = Prisma.sql`
  SELECT a.id AS "approvalID", a.route, o.code AS operator, a.params, a.body,
    CASE WHEN a.state = 'waiting' AND a.expires_at <= now() THEN 'expired' ELSE a.state END AS state,
    a.requested_by AS "requestedBy", a.requester_id AS "requesterID", a.requested_at AS "requestedAt",
    a.expires_at AS "expiresAt", a.decided_by AS "decidedBy", a.decided_at AS "decidedAt", a.reason
  FROM console_approvals a LEFT JOIN operators o ON o.id = a.operator_id`;

/** Stores a request and its event. It waits for a day. */
export function storeApproval(db: Database, wanted: WantedApproval): Promise<bigint> {
  const { route, params, body, requestedBy, requesterID, operatorID } = wanted;
  return db.$transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ id: bigint }[]>`
      INSERT INTO console_approvals (route, operator_id, params, body, requested_by, requester_id, expires_at)
      VALUES (${route}, ${operatorID ?? null}::integer, ${JSON.stringify(params)}::jsonb, ${JSON.stringify(body ?? null)}::jsonb,
        ${requestedBy}, ${requesterID}, now() + ${HOURS} * interval '1 hour')
      RETURNING id`;
    if (row === undefined) throw new Error('the approval was not stored');
    const after = { route, params, body };
    await recordEvent(tx, { kind: 'approval_requested', subject: `approval ${row.id}`, after });
    return row.id;
  });
}

export type ApprovalsWanted = {
  /** Only those of this operator's users. */
  operatorID: number | undefined;
  state: ApprovalState | undefined;
  before: bigint | undefined;
  limit: number;
};

/** Reads a page, the newest first, with one row more than the limit when there is another page. */
export function listApprovals(db: Database, wanted: ApprovalsWanted): Promise<StoredApproval[]> {
  const { operatorID, state, before, limit } = wanted;
  return db.$queryRaw<StoredApproval[]>`
    ${SELECT_APPROVALS}
    WHERE true ${before === undefined ? Prisma.empty : Prisma.sql`AND a.id < ${before}`}
      ${operatorID === undefined ? Prisma.empty : Prisma.sql`AND a.operator_id = ${operatorID}`}
      ${state === undefined ? Prisma.empty : STATES[state]}
    ORDER BY a.id DESC LIMIT ${limit + 1}`;
}

const STATES: Readonly<Record<ApprovalState, Prisma.Sql>> = {
  waiting: Prisma.sql`AND a.state = 'waiting' AND a.expires_at > now()`,
  expired: Prisma.sql`AND a.state = 'waiting' AND a.expires_at <= now()`,
  approved: Prisma.sql`AND a.state = 'approved'`,
  rejected: Prisma.sql`AND a.state = 'rejected'`,
};

export async function findApproval(
  db: Database,
  { approvalID, operatorID }: { approvalID: bigint; operatorID: number | undefined },
): Promise<StoredApproval | undefined> {
  const [row] = await db.$queryRaw<StoredApproval[]>`
    ${SELECT_APPROVALS} WHERE a.id = ${approvalID}
      ${operatorID === undefined ? Prisma.empty : Prisma.sql`AND a.operator_id = ${operatorID}`}`;
  return row;
}

/**
 * Decides a request that waits. Returns false when another user was faster, or when it has expired:
 * of two users one wins.
 */
export function decideApproval(
  db: Database,
  decision: { approvalID: bigint; state: 'approved' | 'rejected'; decidedBy: string; reason: string | undefined },
): Promise<boolean> {
  const { approvalID, state, decidedBy, reason } = decision;
  return db.$transaction(async (tx) => {
    const decided = await tx.$executeRaw`
      UPDATE console_approvals SET state = ${state}, decided_by = ${decidedBy}, decided_at = now(), reason = ${reason ?? null}
      WHERE id = ${approvalID} AND state = 'waiting' AND expires_at > now()`;
    if (decided === 0) return false;
    await recordEvent(tx, { kind: 'approval_decided', subject: `approval ${approvalID}`, after: { state, reason } });
    return true;
  });
}

import type { Database } from '../database/database.ts';
import { approvalOwner } from '../database/secretKeys.ts';
import { Prisma } from '../generated/client.ts';
import { recordEvent } from '../watch/significantEvents.ts';

type ApprovalState = 'waiting' | 'approved' | 'rejected' | 'expired';

/** A request that waits for a second user, or has waited. */
export type StoredApproval = {
  approvalID: bigint;
  route: string;
  /** What it is about, as in the log of significant events. */
  subject: string;
  /** What will be done, as a sentence. */
  what: string;
  /** Each value that is set. */
  details: { field: string; before: string | null; after: string }[];
  /** The requester belongs to this operator. */
  operator: string | null;
  params: Record<string, string>;
  /** It does not have the values of its keys. */
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
  /** Status of the response; every approved request has one. */
  outcomeStatus: number | null;
  /** Why the approved request was refused. */
  outcomeMessage: string | null;
  /** What the action has made and the requester gets: none, not received yet, received. */
  secret: 'none' | 'waiting' | 'received';
};

export type WantedApproval = Pick<
  StoredApproval,
  'route' | 'subject' | 'what' | 'details' | 'params' | 'body' | 'requestedBy' | 'requesterID'
> & {
  /** Members of the body that are keys: they are stored encrypted. */
  keys: object | undefined;
  /** The requester belongs to this operator. */
  operatorID: number | undefined;
};

/** With an operatorID, only requests of that operator's users are found. */
export type ApprovalKey = { approvalID: bigint; operatorID: number | undefined };

const HOURS = 24;

const SELECT_APPROVALS = Prisma.sql`
  SELECT a.id AS "approvalID", a.route, a.subject, a.what, a.details, o.code AS operator, a.params, a.body,
    CASE WHEN a.state = 'waiting' AND a.expires_at <= now() THEN 'expired' ELSE a.state END AS state,
    a.requested_by AS "requestedBy", a.requester_id AS "requesterID", a.requested_at AS "requestedAt",
    a.expires_at AS "expiresAt", a.decided_by AS "decidedBy", a.decided_at AS "decidedAt", a.reason,
    a.outcome_status AS "outcomeStatus", a.outcome_message AS "outcomeMessage",
    CASE
      WHEN a.sealed_secret IS NOT NULL THEN 'waiting'
      WHEN a.secret_received_at IS NOT NULL THEN 'received'
      ELSE 'none'
    END AS secret
  FROM console_approvals a
  LEFT JOIN operators o ON o.id = a.operator_id`;

const WAITS = Prisma.sql`a.state = 'waiting' AND a.expires_at > now()`;

/** Stores a request and its event. It waits for a day. */
export function storeApproval(db: Database, wanted: WantedApproval): Promise<bigint> {
  const { route, subject, what, details, params, body, keys, requestedBy, requesterID, operatorID } = wanted;
  return db.$transaction(async (tx) => {
    await forgetExpiredKeys(tx);
    const [row] = await tx.$queryRaw<{ id: bigint }[]>`
      INSERT INTO console_approvals
        (route, operator_id, subject, what, details, params, body, requested_by, requester_id, expires_at)
      VALUES (${route}, ${operatorID ?? null}::integer, ${subject}, ${what}, ${JSON.stringify(details)}::jsonb,
        ${JSON.stringify(params)}::jsonb, ${JSON.stringify(body ?? null)}::jsonb, ${requestedBy}, ${requesterID},
        now() + ${HOURS} * interval '1 hour')
      RETURNING id`;
    if (row === undefined) throw new Error('the approval was not stored');
    if (keys !== undefined) {
      const sealed = db.secretKeys.seal(JSON.stringify(keys), approvalOwner(row.id));
      await tx.$executeRaw`UPDATE console_approvals SET sealed_body = ${sealed} WHERE id = ${row.id}`;
    }
    await recordEvent(tx, {
      kind: 'approval_requested',
      subject: `approval ${row.id}`,
      after: { route, subject, what, details: textsOf(details), params, body },
    });
    return row.id;
  });
}

function textsOf(details: StoredApproval['details']): Record<string, string> {
  const entries = details.map(({ field, before, after }) => [field, before === null ? after : `${before} → ${after}`]);
  return Object.fromEntries(entries);
}

/** Nobody can approve these any more. */
async function forgetExpiredKeys(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`
    UPDATE console_approvals
    SET sealed_body = NULL
    WHERE sealed_body IS NOT NULL AND expires_at <= now()`;
}

export type ApprovalsWanted = {
  /** Only approvals of this operator's users are read. */
  operatorID: number | undefined;
  state: ApprovalState | undefined;
  subject: string | undefined;
  before: bigint | undefined;
  limit: number;
};

/** Reads a page, the newest first, with one row more than the limit when there is another page. */
export function listApprovals(db: Database, wanted: ApprovalsWanted): Promise<StoredApproval[]> {
  const { operatorID, state, subject, before, limit } = wanted;
  return db.$queryRaw<StoredApproval[]>`
    ${SELECT_APPROVALS}
    WHERE true ${before === undefined ? Prisma.empty : Prisma.sql`AND a.id < ${before}`}
      ${ofOperator(operatorID)}
      ${subject === undefined ? Prisma.empty : Prisma.sql`AND a.subject = ${subject}`}
      ${state === undefined ? Prisma.empty : STATES[state]}
    ORDER BY a.id DESC LIMIT ${limit + 1}`;
}

const STATES: Readonly<Record<ApprovalState, Prisma.Sql>> = {
  waiting: Prisma.sql`AND ${WAITS}`,
  expired: Prisma.sql`AND a.state = 'waiting' AND a.expires_at <= now()`,
  approved: Prisma.sql`AND a.state = 'approved'`,
  rejected: Prisma.sql`AND a.state = 'rejected'`,
};

function ofOperator(operatorID: number | undefined): Prisma.Sql {
  return operatorID === undefined ? Prisma.empty : Prisma.sql`AND a.operator_id = ${operatorID}`;
}

export async function findApproval(
  db: Database,
  { approvalID, operatorID }: ApprovalKey,
): Promise<StoredApproval | undefined> {
  const [row] = await db.$queryRaw<StoredApproval[]>`
    ${SELECT_APPROVALS} WHERE a.id = ${approvalID} ${ofOperator(operatorID)}`;
  return row;
}

/**
 * Takes a request that waits: until the transaction ends nobody else decides it. Returns its body
 * with the keys; undefined when it is decided already, or has expired.
 */
export async function takeApproval(
  within: Database,
  approvalID: bigint,
): Promise<{ body: unknown; requesterID: string } | undefined> {
  const [row] = await within.$queryRaw<{ body: unknown; sealed: string | null; requesterID: string }[]>`
    SELECT a.body, a.sealed_body AS sealed, a.requester_id AS "requesterID"
    FROM console_approvals a
    WHERE a.id = ${approvalID} AND ${WAITS}
    FOR UPDATE`;
  if (row === undefined) return undefined;
  const { body, sealed, requesterID } = row;
  if (sealed === null) return { body, requesterID };
  const keys: object = JSON.parse(within.secretKeys.open(sealed, approvalOwner(approvalID)));
  return { body: { ...(body as object), ...keys }, requesterID };
}

type Decision = { approvalID: bigint; decidedBy: string; reason: string | undefined };

export type ApprovalOutcome = { status: number; message: string | null; secret: string | null };

/** Comes first: the log has the decision before what follows from it. */
export function recordDecision(
  within: Database,
  { approvalID, reason }: Decision,
  state: 'approved' | 'rejected',
): Promise<void> {
  return recordEvent(within, { kind: 'approval_decided', subject: `approval ${approvalID}`, after: { state, reason } });
}

/** Ends a request that takeApproval has taken. An approved one has its outcome from then on. */
export async function endApproval(
  within: Database,
  { approvalID, decidedBy, reason }: Decision,
  outcome: ApprovalOutcome | undefined,
): Promise<void> {
  const secret = outcome?.secret ?? null;
  const sealed = secret === null ? null : within.secretKeys.seal(secret, approvalOwner(approvalID));
  await within.$executeRaw`
    UPDATE console_approvals
    SET state = ${outcome === undefined ? 'rejected' : 'approved'}, decided_by = ${decidedBy},
      decided_at = now(), reason = ${reason ?? null}, outcome_status = ${outcome?.status ?? null}::integer,
      outcome_message = ${outcome?.message ?? null}, sealed_body = NULL, sealed_secret = ${sealed}
    WHERE id = ${approvalID}`;
}

type SecretKey = { approvalID: bigint; requesterID: string };

/** Returns what the action has made for its requester, and nobody else. */
export async function openApprovalSecret(
  db: Database,
  { approvalID, requesterID }: SecretKey,
): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ sealed: string }[]>`
    SELECT sealed_secret AS sealed
    FROM console_approvals
    WHERE id = ${approvalID} AND requester_id = ${requesterID} AND sealed_secret IS NOT NULL`;
  return row && db.secretKeys.open(row.sealed, approvalOwner(approvalID));
}

/** Forgets it: its requester has it. Returns false when there is none, or it is another user's. */
export async function forgetApprovalSecret(db: Database, { approvalID, requesterID }: SecretKey): Promise<boolean> {
  const forgotten = await db.$executeRaw`
    UPDATE console_approvals
    SET sealed_secret = NULL, secret_received_at = now()
    WHERE id = ${approvalID} AND requester_id = ${requesterID} AND sealed_secret IS NOT NULL`;
  return forgotten === 1;
}

/**
 * Encrypts with the first key what approvals hold: keys of requests that wait, secrets that were
 * not received. Returns how many approvals had an older key.
 * @throws SecretKeyError when one cannot be decrypted; then nothing changes.
 */
export function sealApprovals(db: Database): Promise<number> {
  const { secretKeys: keys } = db;
  return db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw<{ id: bigint; body: string | null; secret: string | null }[]>`
      SELECT id, sealed_body AS body, sealed_secret AS secret
      FROM console_approvals
      WHERE sealed_body IS NOT NULL OR sealed_secret IS NOT NULL
      FOR UPDATE`;
    let changed = 0;
    for (const { id, ...stored } of rows) {
      const owner = approvalOwner(id);
      const sealAnew = (text: string | null) =>
        text === null || keys.isCurrent(text) ? text : keys.seal(keys.open(text, owner), owner);
      const [body, secret] = [sealAnew(stored.body), sealAnew(stored.secret)];
      if (body === stored.body && secret === stored.secret) continue;
      await tx.$executeRaw`
        UPDATE console_approvals
        SET sealed_body = ${body}, sealed_secret = ${secret}
        WHERE id = ${id}`;
      changed += 1;
    }
    return changed;
  });
}

import {
  type AdminEvent,
  type adminContract,
  type adminStreamContract,
  MAX_ISSUES_SHOWN,
  type StreamProgress,
  type VerifyResult,
} from '@roundhouse/contract/admin';
import { writeCursor } from '../../base/http/cursor.ts';
import type { Handlers } from '../../base/http/endpoints.ts';
import { errorResponse, ok } from '../../base/http/responses.ts';
import type { StoredEvent } from '../../store/watch/eventChain.ts';
import { EVENT_KINDS, type EventKind } from '../../store/watch/eventKinds.ts';
import { pageOfEvents } from '../../store/watch/significantEvents.ts';
import { verifyLog } from '../../watch/audit/verifyLog.ts';
import type { AdminDeps } from './adminDeps.ts';
import { callerOf } from './guard.ts';
import { pageStart } from './listPage.ts';
import { createOnlyOne } from './onlyOne.ts';
import { scopeOf } from './operatorScope.ts';
import type { StreamHandlers } from './stream.ts';

/** Lists significant events, by the function of `roundhouse audit list`. */
export function eventHandlers({ db }: AdminDeps): Pick<Handlers<typeof adminContract>, 'listEvents'> {
  return {
    listEvents: async ({ query: { cursor, limit, kind, actor, subject, from, to }, res }) => {
      if (kind !== undefined && !isKind(kind)) return errorResponse('ERR_VAL', 'kind: there is no such kind of event');
      const scope = scopeOf(res);
      const { events, next, searchedTo } = await pageOfEvents(db, {
        kind,
        actor,
        subject,
        limit,
        operator: scope.operatorID === undefined ? undefined : scope,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        before: pageStart(cursor),
      });
      return ok({
        items: events.map(eventOnWire),
        cursor: next === undefined ? null : writeCursor(next),
        searchedTo: searchedTo ?? null,
        kinds: EVENT_KINDS,
      });
    },
  };
}

/** Verifies the chain, by the function of `roundhouse audit verify`. */
export function eventStreamHandlers({
  db,
}: AdminDeps): Pick<StreamHandlers<typeof adminStreamContract>, 'verifyEvents'> {
  const onlyOne = createOnlyOne();
  return {
    verifyEvents: async ({ res }) =>
      onlyOne.run({ key: 'log', what: 'a verification of the log', caller: callerOf(res) }, async (emit, signal) => {
        const { count, head, issues, issueCount } = await verifyLog(db, {
          mostIssues: MAX_ISSUES_SHOWN,
          signal,
          onProgress: (progress) => emit({ kind: 'progress', ...progress } satisfies StreamProgress),
        });
        const { seq, hash } = head;
        const result = { isWhole: issueCount === 0, count, head: { seq: Number(seq), hash }, issueCount, issues };
        return { kind: 'result', ...result } satisfies VerifyResult;
      }),
  };
}

function isKind(text: string): text is EventKind {
  return Object.hasOwn(EVENT_KINDS, text);
}

function eventOnWire({ seq, at, actor, kind, subject, before, after, hash }: StoredEvent): AdminEvent {
  const values = { before: readValue(before), after: readValue(after) };
  return { seq: Number(seq), at, actor, kind, subject, ...values, hash: hash ?? '' };
}

function readValue(json: string | null): unknown {
  return json === null ? null : JSON.parse(json, exact);
}

/**
 * Amounts beyond 2^53 would lose their last digits: they become texts where the runtime says them.
 */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isInexact = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isInexact ? (context?.source ?? value) : value;
}

import type { DebitRequest } from '@roundhouse/contract';
import { type Exchange, isCertainRefusal, parseObject, successOf } from './exchange.ts';

type MovementKind = 'debit' | 'credit' | 'rollback';

/** A movement that was asked for, and what became of it. */
export type SentMovement = {
  transactionID: string;
  kind: MovementKind;
  /** accepted: a success at least once. refused: certain refusals only. uncertain: neither. */
  outcome: 'accepted' | 'refused' | 'uncertain';
  /** The body that the outcome belongs to. */
  body: Readonly<Record<string, unknown>>;
  /** Others were under way, so its place among them is not known. */
  atOnce: boolean;
};

const KINDS: readonly string[] = ['debit', 'credit', 'rollback'] satisfies MovementKind[];

/** The movements of these exchanges, each once, in the order in which they were first answered so. */
export function sentMovements(exchanges: readonly Exchange[]): SentMovement[] {
  const byID = new Map<string, SentMovement>();
  for (const exchange of exchanges) {
    const movement = movementOf(exchange);
    if (movement === undefined) continue;
    const known = byID.get(movement.transactionID);
    if (known === undefined) byID.set(movement.transactionID, movement);
    else if (known.outcome !== 'accepted' && movement.outcome !== 'refused') {
      // At the end of the order: what was refused before happened only now.
      byID.delete(movement.transactionID);
      byID.set(movement.transactionID, movement);
    }
  }
  return [...byID.values()];
}

function movementOf(exchange: Exchange): SentMovement | undefined {
  const { route, body: text } = exchange.call;
  const body = parseObject(text);
  if (!KINDS.includes(route) || typeof body?.transactionID !== 'string') return undefined;
  return {
    transactionID: body.transactionID,
    kind: route as MovementKind,
    outcome: outcomeOf(exchange),
    body,
    atOnce: exchange.call.atOnce ?? false,
  };
}

function outcomeOf(exchange: Exchange): SentMovement['outcome'] {
  if (successOf(exchange) !== undefined) return 'accepted';
  const turnedAway = exchange.answer.came && exchange.answer.status === 401;
  return turnedAway || isCertainRefusal(exchange) ? 'refused' : 'uncertain';
}

/** Debits that may have taken money and were neither paid nor given back; some are bodies that no wallet should have taken. */
export function openDebits(exchanges: readonly Exchange[]): Partial<DebitRequest>[] {
  const movements = sentMovements(exchanges);
  const answered = new Set(
    movements
      .filter(({ kind, outcome }) => kind !== 'debit' && outcome === 'accepted')
      .map(({ body }) => body.debitTransactionID),
  );
  return movements
    .filter(
      ({ kind, outcome, transactionID }) => kind === 'debit' && outcome !== 'refused' && !answered.has(transactionID),
    )
    .map(({ body }) => body as Partial<DebitRequest>);
}

import type { TraceAttributes, TraceSpan } from './traceSpan.ts';

/** The wait of one traced command, from its arrival to its batch. */
export type TracedWait = { parent: TraceSpan; span: TraceSpan };

export function startWait(batcher: string, parent: TraceSpan): TracedWait {
  return { parent, span: parent.child(`wait ${batcher}`) };
}

type Waiting = { wait: TracedWait | undefined };

/**
 * Starts the span of a batch: a child of the request of its first traced command, linked to the
 * requests of all of them. Their waits end, linked to the batch. undefined when none is traced.
 */
export function startBatch(batcher: string, batch: readonly Waiting[]): TraceSpan | undefined {
  let span: TraceSpan | undefined;
  for (const { wait } of batch) {
    if (wait === undefined) continue;
    span ??= wait.parent.child(`batch ${batcher}`, { kind: 'client', attributes: attributesOf(batcher, batch.length) });
    span.link(wait.parent);
    wait.span.link(span);
    wait.span.end();
  }
  return span;
}

function attributesOf(batcher: string, size: number): TraceAttributes {
  return { 'db.system.name': 'postgresql', 'db.operation.name': batcher, 'db.operation.batch.size': size };
}

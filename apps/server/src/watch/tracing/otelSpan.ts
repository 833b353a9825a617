import {
  type Context,
  isSpanContextValid,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { TraceAttributes, TraceSpan } from '@roundhouse/service';

type Start = { name: string; options: SpanOptions; parent: Context };

export function startSpan(tracer: Tracer, { name, options, parent }: Start): TraceSpan {
  return new OtelSpan(tracer, tracer.startSpan(name, options, parent), parent);
}

/** Its children are sampled with it. */
class OtelSpan implements TraceSpan {
  readonly traceID: string;
  readonly spanID: string;
  readonly traceparent: string;
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;

  constructor(tracer: Tracer, span: Span, parent: Context) {
    const { traceId, spanId } = span.spanContext();
    this.traceID = traceId;
    this.spanID = spanId;
    // W3C Trace Context, level 1. 01 says that the trace is recorded.
    this.traceparent = `00-${traceId}-${spanId}-01`;
    this.#tracer = tracer;
    this.#span = span;
    this.#context = trace.setSpan(parent, span);
  }

  child(name: string, { kind, attributes = {}, links = [] }: Parameters<TraceSpan['child']>[1] = {}): TraceSpan {
    const options = { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL };
    const child = new OtelSpan(this.#tracer, this.#tracer.startSpan(name, options, this.#context), this.#context);
    child.set(attributes);
    for (const other of links) child.link(other);
    return child;
  }

  link({ traceID, spanID }: TraceSpan): void {
    this.#span.addLink({ context: { traceId: traceID, spanId: spanID, traceFlags: TraceFlags.SAMPLED } });
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: TraceAttributes): void {
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined) this.#span.setAttribute(name, value);
  }

  end(errorType?: string): void {
    if (errorType !== undefined) {
      this.#span.setAttribute('error.type', errorType);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;

/** Reads the traceparent of a span of this class. */
export function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId = '', spanId = ''] = TRACEPARENT.exec(text) ?? [];
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

import type { Logger } from 'pino';
import { sqlState } from './sqlRetry.ts';

export type TraceAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

type SpanOptions = {
  /** client: it waits for another system. internal when left out. */
  kind?: 'client' | 'internal';
  attributes?: TraceAttributes;
  /** Spans of other traces that caused it as well. */
  links?: readonly TraceSpan[];
};

/**
 * A span that is recorded. It travels explicitly from a request to all that the request causes, and
 * is undefined for a request that is not sampled: then nothing is recorded.
 */
export type TraceSpan = {
  /** 32 hexadecimal digits. */
  readonly traceID: string;
  /** 16 hexadecimal digits. */
  readonly spanID: string;
  /** The header by which another system joins the trace. */
  readonly traceparent: string;
  child(name: string, options?: SpanOptions): TraceSpan;
  link(other: TraceSpan): void;
  rename(name: string): void;
  /** Leaves out what is undefined. No value may be a credential. */
  set(attributes: TraceAttributes): void;
  /** errorType is a class or a code, never a message: that may repeat what a client sent. */
  end(errorType?: string): void;
};

/** Returns the code of an error where it has one, else its class. */
export function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const known = sqlState(error) ?? code ?? name;
  return typeof known === 'string' && /^\w{1,60}$/.test(known) ? known : 'error';
}

/** The log of an error names the span in which it was thrown. */
const spanOfError = new WeakMap<Error, TraceSpan>();

/** Ends the span with the outcome of the work. */
export async function inSpan<Value>(span: TraceSpan | undefined, work: () => Promise<Value>): Promise<Value> {
  if (span === undefined) return work();
  try {
    const value = await work();
    span.end();
    return value;
  } catch (error) {
    span.end(errorTypeOf(error));
    if (error instanceof Error) spanOfError.set(error, span);
    throw error;
  }
}

/** Returns the fields of a log line that name its span, as OpenTelemetry calls them. */
export function traceFields(span: TraceSpan | undefined): { trace_id: string; span_id: string } | undefined {
  return span && { trace_id: span.traceID, span_id: span.spanID };
}

/** Returns the same for the span whose work has thrown the error. */
export function traceFieldsOf(error: unknown): ReturnType<typeof traceFields> {
  return error instanceof Error ? traceFields(spanOfError.get(error)) : undefined;
}

/** Returns a log whose lines name the span. */
export function tracedLog(log: Logger, span: TraceSpan | undefined): Logger {
  const fields = traceFields(span);
  return fields === undefined ? log : log.child(fields);
}

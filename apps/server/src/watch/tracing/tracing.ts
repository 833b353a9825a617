import type { IncomingHttpHeaders } from 'node:http';
import { type Context, ROOT_CONTEXT, SpanKind, type Tracer } from '@opentelemetry/api';
import type { TraceSpan } from '@roundhouse/service';
import { parseTraceparent, startSpan } from './otelSpan.ts';

/** What a process needs to trace. It is undefined where tracing is off. */
export type Tracing = {
  /** Starts the span of a request; undefined when it is not sampled. */
  request(request: TracedRequest): TraceSpan | undefined;
  /**
   * Starts a separate trace for work that a stored request has caused. With the traceparent of that
   * request, which was sampled, this one is also sampled.
   */
  afterwards(name: string, causedBy: string | undefined): TraceSpan | undefined;
  /** Sends what is left, within two seconds. */
  stop(): Promise<void>;
};

type TracedRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** A player must not choose what is sampled: only the traceparent of a trusted proxy counts. */
  isTrusted: () => boolean;
};

export type Tracers = {
  /** Records every span that it starts. */
  tracer: Tracer;
  /** Decides by the settings whether a span with this parent is to be started. */
  samples(parent: Context): boolean;
  /** Reads the caller's context. */
  extract(headers: IncomingHttpHeaders): Context;
  stop(): Promise<void>;
};

/** They come every few seconds, and nobody looks for one of them. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics']);

export function createTracing({ tracer, samples, extract, stop }: Tracers): Tracing {
  return {
    request({ method, path, headers, isTrusted }) {
      if (UNTRACED.has(path)) return undefined;
      const parent = headers.traceparent !== undefined && isTrusted() ? extract(headers) : ROOT_CONTEXT;
      if (!samples(parent)) return undefined;
      const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } };
      return startSpan(tracer, { name: method, options, parent });
    },
    afterwards(name, causedBy) {
      const cause = causedBy === undefined ? undefined : parseTraceparent(causedBy);
      if (cause === undefined && !samples(ROOT_CONTEXT)) return undefined;
      const options = cause === undefined ? {} : { links: [{ context: cause }] };
      return startSpan(tracer, { name, options, parent: ROOT_CONTEXT });
    },
    stop,
  };
}

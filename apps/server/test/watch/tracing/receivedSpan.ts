type SpanLink = { traceID: string; spanID: string };

/** A span as the collector of the tests gets it. */
export type ReceivedSpan = SpanLink & {
  /** It is empty for a root. */
  parentID: string;
  name: string;
  kind: number;
  startNanos: bigint;
  attributes: Record<string, unknown>;
  links: SpanLink[];
  isError: boolean;
  resource: Record<string, unknown>;
};

import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { decodeProtobuf } from './otlpProtobuf.ts';
import type { ReceivedSpan } from './receivedSpan.ts';

export type OtlpReceiver = Awaited<ReturnType<typeof startOtlpReceiver>>;

/** Starts a collector for the traces of the tests: real HTTP, both encodings of OTLP. */
export async function startOtlpReceiver({ hangs = false } = {}) {
  const spans: ReceivedSpan[] = [];
  const requests: { contentType: string; headers: http.IncomingHttpHeaders; body: Buffer }[] = [];
  const receive = async (req: IncomingMessage, res: ServerResponse) => {
    const body = Buffer.concat(await req.toArray());
    const contentType = req.headers['content-type'] ?? '';
    requests.push({ contentType, headers: req.headers, body });
    if (hangs) return;
    const isJson = contentType === 'application/json';
    spans.push(...(isJson ? decodeJson(JSON.parse(body.toString())) : decodeProtobuf(body)));
    res.writeHead(200, { 'Content-Type': contentType }).end(isJson ? '{}' : '');
  };
  const server = http.createServer((req, res) => void receive(req, res));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const named = (name: string) => spans.filter((span) => span.name === name);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    named,
    /** Waits until it has this number of spans of this name. Returns the last one. */
    async find(name: string, count = 1): Promise<ReceivedSpan> {
      await expect.poll(() => named(name).length, { interval: 20 }).toBeGreaterThanOrEqual(count);
      return named(name).at(-1) as ReceivedSpan;
    },
    /** Returns the spans of the trace that the last root of this name began. */
    traceOf: (root: string) => spans.filter(({ traceID }) => traceID === named(root).at(-1)?.traceID),
    forget() {
      spans.length = 0;
      requests.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type JsonValue = { stringValue?: string; intValue?: string | number; boolValue?: boolean };
type JsonAttribute = { key: string; value: JsonValue };
type JsonSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  attributes?: JsonAttribute[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
};
type JsonTraces = {
  resourceSpans: { resource: { attributes: JsonAttribute[] }; scopeSpans: { spans: JsonSpan[] }[] }[];
};

const ERROR_STATUS = 2;

function decodeJson({ resourceSpans }: JsonTraces): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(
        ({
          traceId,
          spanId,
          parentSpanId = '',
          name,
          kind,
          startTimeUnixNano,
          attributes = [],
          links = [],
          status,
        }) => ({
          traceID: traceId,
          spanID: spanId,
          parentID: parentSpanId,
          name,
          kind,
          startNanos: BigInt(startTimeUnixNano),
          attributes: attributesOf(attributes),
          links: links.map((link) => ({ traceID: link.traceId, spanID: link.spanId })),
          isError: status?.code === ERROR_STATUS,
          resource: attributesOf(resource.attributes),
        }),
      ),
  );
}

function attributesOf(attributes: readonly JsonAttribute[]): Record<string, unknown> {
  const textOrNumber = ({ stringValue, intValue, boolValue }: JsonValue) =>
    stringValue ?? boolValue ?? (intValue === undefined ? undefined : Number(intValue));
  return Object.fromEntries(attributes.map(({ key, value }) => [key, textOrNumber(value)]));
}

/**
 * Draws the traces as trees: children by their start, with links as `~> trace/span`, where traces
 * have the letters A, B …, the oldest first.
 */
export function drawTraces(received: readonly ReceivedSpan[], shown: readonly string[] = []): string[] {
  const spans = [...received].sort((a, b) => Number(a.startNanos - b.startNanos));
  const traces = [...new Set(spans.map(({ traceID }) => traceID))];
  const letterOf = (traceID: string) => String.fromCharCode('A'.charCodeAt(0) + traces.indexOf(traceID));
  const known = new Map(spans.map((span) => [span.spanID, span]));
  const textOf = ({ name, attributes, links, isError }: ReceivedSpan) => {
    const facts = shown.flatMap((key) => (attributes[key] === undefined ? [] : `${key}=${attributes[key]}`));
    const linked = links.map(
      ({ traceID, spanID }) => `~> ${letterOf(traceID)}/${known.get(spanID)?.name ?? 'span that never ended'}`,
    );
    return [name, ...facts, ...new Set(linked), ...(isError ? ['!'] : [])].join(' ');
  };
  const draw = (span: ReceivedSpan, depth: number): string[] => [
    `${'  '.repeat(depth)}${textOf(span)}`,
    ...spans
      .filter(({ parentID, traceID }) => parentID === span.spanID && traceID === span.traceID)
      .flatMap((child) => draw(child, depth + 1)),
  ];
  return traces.flatMap((traceID) => {
    const ofTrace = spans.filter((span) => span.traceID === traceID);
    const tops = ofTrace.filter(({ parentID }) => !known.has(parentID));
    return [
      `${letterOf(traceID)}`,
      ...tops.flatMap((top) => (top.parentID === '' ? draw(top, 1) : ['  (a span that never ended)', ...draw(top, 2)])),
    ];
  });
}

import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { DiagLogLevel, defaultTextMapGetter, diag, ROOT_CONTEXT } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { reportingExporter } from './reportingExporter.ts';
import { createHeadSampler, type SamplerSettings } from './sampler.ts';
import { createTracing, type Tracing } from './tracing.ts';

export type Protocol = 'http/protobuf' | 'http/json';

type SdkOptions = SamplerSettings & { log: Logger; version: string; protocol: Protocol; propagates: boolean };

/** A collector that does not respond must not hold the end of the process. */
const STOP_WITHIN_MS = 2_000;
const MAX_DETAIL_CHARACTERS = 300;

/**
 * Starts the SDK, which reads its other settings from the environment. Nothing is registered as the
 * global provider: a library with its own instrumentation must not add spans with unknown
 * attributes (decision 030).
 */
export function startSdk({ log, version, protocol, propagates, ...settings }: SdkOptions): Tracing {
  reportIssues(log);
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const { samples, idGenerator } = createHeadSampler(settings);
  const provider = new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(reportingExporter(exporter, log))],
    resource: resourceOf(version),
    sampler: new AlwaysOnSampler(),
    idGenerator,
  });
  const propagator = new W3CTraceContextPropagator();
  return createTracing({
    tracer: provider.getTracer('roundhouse', version),
    samples,
    extract: (headers) => (propagates ? propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter) : ROOT_CONTEXT),
    async stop() {
      const stopped = provider.shutdown().catch((error: unknown) => diag.warn(String(error)));
      await Promise.race([stopped, wait(STOP_WITHIN_MS, undefined, { ref: false })]);
    },
  });
}

/** Variables go before what this process says of itself. */
function resourceOf(version: string) {
  const own = resourceFromAttributes({
    'service.name': 'roundhouse',
    'service.version': version,
    'service.instance.id': randomUUID(),
    'host.name': os.hostname(),
    'process.pid': process.pid,
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** The SDK warns, for example, of a variable that it cannot read, or of a full queue. */
function reportIssues(log: Logger): void {
  const warn = (issue: string) =>
    log.warn({ issue: issue.slice(0, MAX_DETAIL_CHARACTERS) }, 'OpenTelemetry has an issue');
  const ignore = () => {};
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

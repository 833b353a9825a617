import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startTracing } from './startTracing.ts';

const log = pino({ level: 'silent' });
const start = (env: Record<string, string>) => startTracing({ log, version: '1', env });
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

it.each<[string, Record<string, string>]>([
  ['no endpoint is set', { OTEL_TRACES_SAMPLER: 'always_on' }],
  ['the endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_SAMPLER: '' }],
  ['the SDK is disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
  ['traces have no exporter', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
])('tracing is off when %s', async (_, env) => {
  expect(await start(env)).toBeUndefined();
});

it.each<[Record<string, string>, string]>([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL.'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'x' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be an http or https URL.'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json.'],
  [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'x' }, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be one of'],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be one of otlp, none.'],
  [{ OTEL_TRACES_SAMPLER: 'alwayson' }, 'OTEL_TRACES_SAMPLER must be one of always_on'],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio' }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '1 %' }, 'OTEL_TRACES_SAMPLER_ARG must'],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1.1' }, 'OTEL_TRACES_SAMPLER_ARG must'],
  [{ OTEL_PROPAGATORS: 'tracecontext,b3' }, 'OTEL_PROPAGATORS must be one of tracecontext, baggage, none.'],
])('%j is a clear start error', async (env, message) => {
  await expect(start({ ...ENDPOINT, ...env })).rejects.toThrow(message);
});

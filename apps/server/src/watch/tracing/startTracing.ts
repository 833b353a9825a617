import { StartError } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { Protocol } from './sdk.ts';
import type { Tracing } from './tracing.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type TracingDeps = { log: Logger; version: string; env?: Environment };

/**
 * Starts tracing by the standard variables of OpenTelemetry. Without an endpoint it is off, and no
 * library of it is loaded.
 * @throws StartError when a variable has a value that this server does not know.
 */
export async function startTracing({ log, version, ...deps }: TracingDeps): Promise<Tracing | undefined> {
  // The specification of OpenTelemetry takes an empty variable as one that is not set.
  const env = Object.fromEntries(Object.entries(deps.env ?? process.env).filter(([, value]) => value !== ''));
  const protocol = protocolOf(env);
  if (protocol === undefined) return undefined;
  const { startSdk } = await import('./sdk.ts');
  return startSdk({
    log,
    version,
    protocol,
    propagates: env.OTEL_PROPAGATORS !== 'none',
    sampler: env.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on',
    ratio: Number(env.OTEL_TRACES_SAMPLER_ARG ?? 1),
  });
}

/**
 * Checks the variables for which the SDK would go on with a default. An unknown sampler, for
 * example, would sample everything.
 */
function protocolOf(env: Environment): Protocol | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (endpoint === undefined || isOff) return undefined;
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'])
    if (env[name] !== undefined && !isHttpUrl(env[name])) throw new StartError(`${name} must be an http or https URL.`);
  requireOneOf(env, 'OTEL_TRACES_EXPORTER', ['otlp', 'none']);
  requireOneOf(env, 'OTEL_TRACES_SAMPLER', SAMPLERS);
  requireRatio(env);
  const propagators = env.OTEL_PROPAGATORS?.split(',').map((name) => name.trim());
  for (const name of propagators ?? [])
    requireOneOf({ OTEL_PROPAGATORS: name }, 'OTEL_PROPAGATORS', ['tracecontext', 'baggage', 'none']);
  const names = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const;
  const name = names.find((each) => env[each] !== undefined) ?? names[1];
  requireOneOf(env, name, PROTOCOLS);
  return (env[name] as Protocol | undefined) ?? 'http/protobuf';
}

const PROTOCOLS: readonly Protocol[] = ['http/protobuf', 'http/json'];
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]);

function requireOneOf(env: Environment, name: string, values: readonly string[]): void {
  const value = env[name];
  if (value === undefined || values.includes(value)) return;
  throw new StartError(`${name} must be one of ${values.join(', ')}.`);
}

function requireRatio({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio }: Environment): void {
  if (sampler?.endsWith('traceidratio') !== true) return;
  if (ratio !== undefined && ratio.trim() !== '' && Number(ratio) >= 0 && Number(ratio) <= 1) return;
  throw new StartError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, because the sampler is ${sampler}.`);
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

import { type Context, SpanKind, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';

export type SamplerSettings = {
  /** It is always_on, always_off or traceidratio, with or without parentbased_ before it. */
  sampler: string;
  ratio: number;
};

/**
 * Decides about a span before it is made. The SDK makes the span first, with its attributes and
 * ids, and throws it away when it is not sampled: that took several microseconds of each play.
 */
export function createHeadSampler({ sampler: name, ratio }: SamplerSettings) {
  const kinds: Record<string, () => Sampler> = {
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = kinds[name.replace('parentbased_', '')]?.() ?? new AlwaysOnSampler();
  const sampler = name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
  const random = new RandomIdGenerator();
  // The ratio is a property of the trace id, so the span that is made next gets this one.
  let decided: string | undefined;
  const idGenerator: IdGenerator = {
    generateTraceId() {
      const traceID = decided ?? random.generateTraceId();
      decided = undefined;
      return traceID;
    },
    generateSpanId: () => random.generateSpanId(),
  };
  return {
    idGenerator,
    samples(parent: Context): boolean {
      decided = random.generateTraceId();
      const traceID = trace.getSpanContext(parent)?.traceId ?? decided;
      const { decision } = sampler.shouldSample(parent, traceID, '', SpanKind.SERVER, NOTHING, NO_LINKS);
      return decision === SamplingDecision.RECORD_AND_SAMPLED;
    },
  };
}

const NOTHING = {};
const NO_LINKS: [] = [];

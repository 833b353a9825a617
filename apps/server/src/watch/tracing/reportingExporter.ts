import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';

/** A collector that is away fails with every export. One line in this time says so. */
const QUIET_MS = 60_000;
const MAX_ERROR_CHARACTERS = 200;

/** Warns of spans that the collector did not take, the first time at once. They are lost. */
export function reportingExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  let quietUntilMs = 0;
  let lost = 0;
  const report = ({ error }: ExportResult, spans: number) => {
    lost += spans;
    const nowMs = performance.now();
    if (nowMs < quietUntilMs) return;
    quietUntilMs = nowMs + QUIET_MS;
    log.warn({ lost, error: error?.message.slice(0, MAX_ERROR_CHARACTERS) }, 'spans could not be exported');
    lost = 0;
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) report(result, spans.length);
        // The SDK would only log it once more, at each export.
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

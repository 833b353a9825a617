import { pino } from 'pino';
import { ConfigError, readConfig } from './config.ts';
import { startOperator } from './operator.ts';

/** Credentials: whatever object reaches the log, they do not. */
const REDACT = ['sessionID', '*.sessionID', 'token', '*.token', 'secret', '*.secret', 'secrets', '*.secrets'];
const REPEATED_WITHIN_MS = 1_000;

try {
  await run();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `The operator could not start: ${reasonOf(error)}`);
  process.exitCode = 1;
} finally {
  // An open channel to the process that started us would keep this one.
  if (process.connected) process.disconnect();
}

async function run(): Promise<void> {
  const { logLevel, ...config } = readConfig();
  const log = pino({ level: logLevel, redact: REDACT });
  const stopped = untilStopped();
  const operator = await startOperator({ ...config, log });
  console.log(`Operator: ${operator.url}`);
  process.send?.({ ready: true, url: operator.url });
  await stopped;
  await operator.close();
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return message || code || 'for no reason that is known';
}

/**
 * Resolves when we are to end: at a signal, or when the process that started us with an IPC channel is gone. A second signal ends the
 * process at once, but within the first second it is the first one again, sent by a terminal and by a parent.
 */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const stop = () => {
      const nowMs = performance.now();
      firstAtMs ??= nowMs;
      if (nowMs - firstAtMs > REPEATED_WITHIN_MS) process.exit(1);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    if (process.send !== undefined) process.once('disconnect', () => resolve());
  });
}

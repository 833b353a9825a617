import { type Logger, pino } from 'pino';

/** A sessionID is a credential: whatever object reaches the log, it does not. */
const REDACT = ['sessionID', '*.sessionID', 'body.sessionID', 'req.body.sessionID', 'token', '*.token'];

/**
 * Up to this size (PIPE_BUF of Linux) the system writes to a pipe in one piece. Larger pieces of several processes on one pipe may end up
 * inside each other when its reader is slow.
 */
const WHOLE_WRITE_BYTES = 4_096;

/** JSON lines for production; for a person at a terminal, lines to read. */
export function createLog({ level, pretty }: { level: string; pretty: boolean }): Logger {
  const options = { level, redact: REDACT };
  if (!pretty) return pino(options, pino.destination({ sync: false, minLength: 0, maxWrite: WHOLE_WRITE_BYTES }));
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
  });
}

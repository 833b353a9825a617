import { type Logger, pino } from 'pino';

/** A sessionID is a credential: whatever object reaches the log, it does not. */
const REDACT = ['sessionID', '*.sessionID', 'body.sessionID', 'req.body.sessionID', 'token', '*.token'];

/** JSON lines for production; for a person at a terminal, lines to read. */
export function createLog({ level, pretty }: { level: string; pretty: boolean }): Logger {
  const options = { level, redact: REDACT };
  if (!pretty) return pino(options, pino.destination({ sync: false, minLength: 0 }));
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
  });
}

import { type Logger, pino, stdSerializers } from 'pino';
import { createLogDestination } from './logDestination.ts';

/** Credentials, which never reach the log, in whatever object they are. */
const CREDENTIALS = ['sessionID', 'token', 'secret', 'secrets'];
const REDACT = [...CREDENTIALS.flatMap((name) => [name, `*.${name}`]), 'body.sessionID', 'req.body.sessionID'];

/** A message may repeat what a client sent, and a stack repeats the message. */
const MAX_ERROR_CHARACTERS = 1_500;

/** JSON lines for production; for a person at a terminal, lines to read. */
export function createLog({ level, pretty }: { level: string; pretty: boolean }): Logger {
  const options = { level, redact: REDACT, serializers: { err: boundedError } };
  if (!pretty) return pino(options, createLogDestination());
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true },
    },
  });
}

function boundedError(error: Error): object {
  return Object.fromEntries(
    Object.entries(stdSerializers.err(error)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, MAX_ERROR_CHARACTERS) : value,
    ]),
  );
}

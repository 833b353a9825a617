import { write, writeSync } from 'node:fs';
import { type Logger, pino, stdSerializers } from 'pino';

/** The log redacts these credentials in whatever object they are. */
const CREDENTIALS = ['sessionID', 'token', 'secret', 'secrets'];
const REDACT = [...CREDENTIALS.flatMap((name) => [name, `*.${name}`]), 'body.sessionID', 'req.body.sessionID'];

/** A message may repeat what a client sent, and a stack repeats the message. */
const MAX_ERROR_CHARACTERS = 1_500;

/**
 * JSON escapes C0 characters alone. C1 characters also control some terminals, and others change
 * the direction of a line or end it: clients and operators choose texts that the log repeats.
 */
const HIDDEN = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

function withoutHidden(line: string): string {
  return line.replace(HIDDEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Writes JSON lines in production and readable lines at a terminal. */
export function createLog({ level, pretty }: { level: string; pretty: boolean }): Logger {
  const options = { level, redact: REDACT, serializers: { err: boundedError }, hooks: { streamWrite: withoutHidden } };
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

/**
 * Up to this size (PIPE_BUF of Linux) the system writes to a pipe in one piece. Larger pieces of
 * several processes may mix on one pipe when its reader is slow.
 */
const WHOLE_WRITE_BYTES = 4_096;
/** Some thousands of lines wait for a reader that pauses. Further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;
const FULL_PIPE_PAUSE_MS = 20;
/** Time in milliseconds for which the end of the process waits for a full pipe. */
const LAST_WRITES_MS = 500;

type LogDestination = { write(line: string): void };

/** A piece has whole lines that are written together. */
type Piece = { text: string; bytes: number; lines: number; written: number };

let dropped = 0;

/** Returns how many log lines this process could not write. */
export function droppedLogLines(): number {
  return dropped;
}

/**
 * Writes lines to standard output and never stops the process: a line that cannot be written is
 * dropped and counted. The destination of pino itself (sonic-boom 4) throws when the disk is full,
 * and at the end of the process it repeats the write for ever.
 */
function createLogDestination(): LogDestination {
  // Any use of process.stdout makes a pipe non-blocking: a full one returns EAGAIN and does not
  // block.
  const fd = process.stdout.fd ?? 1;
  const pieces: Piece[] = [];
  let waitingBytes = 0;
  let isWriting = false;
  let isDue = false;
  let pause: NodeJS.Timeout | undefined;
  let endsInsideLine = false;

  function add(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (waitingBytes + bytes > MAX_WAITING_BYTES) {
      dropped += 1;
      return;
    }
    waitingBytes += bytes;
    const last = pieces.at(-1);
    const isOpen = last !== undefined && (pieces.length > 1 || !isWriting) && last.written === 0;
    if (isOpen && last.bytes + bytes <= WHOLE_WRITE_BYTES) {
      last.text += line;
      last.bytes += bytes;
      last.lines += 1;
    } else pieces.push({ text: line, bytes, lines: 1, written: 0 });
    if (!isWriting && !isDue && pause === undefined) {
      // The write comes after this turn of the event loop, so that its lines are written together:
      // one write for each took 6 % of a play. A process that is killed loses the lines of its last
      // turn.
      isDue = true;
      setImmediate(writeFirst);
    }
  }

  function writeFirst(): void {
    isDue = false;
    pause = undefined;
    const [piece] = pieces;
    if (piece === undefined) return;
    isWriting = true;
    write(fd, restOf(piece), (error, bytes) => {
      isWriting = false;
      if (isFull(error)) {
        // The timer is unreferenced: a reader that does not read must not keep the process alive.
        pause = setTimeout(writeFirst, FULL_PIPE_PAUSE_MS).unref();
        return;
      }
      settle(piece, error === null ? bytes : undefined);
      writeFirst();
    });
  }

  /** Returns the rest of a piece. After an error, it ends a line that was cut short first. */
  function restOf({ text, written }: Piece): Buffer {
    return Buffer.from(endsInsideLine ? `\n${text}` : text).subarray(written);
  }

  /** `bytes`: how many were written, undefined when none can be. */
  function settle(piece: Piece, bytes: number | undefined): void {
    const length = piece.bytes + (endsInsideLine ? 1 : 0);
    piece.written += bytes ?? 0;
    if (bytes !== undefined && piece.written < length) return;
    if (bytes === undefined) dropped += piece.lines;
    endsInsideLine = bytes === undefined && (endsInsideLine || piece.written > 0);
    waitingBytes -= piece.bytes;
    pieces.shift();
  }

  function writeLast(): void {
    const sleeper = new Int32Array(new SharedArrayBuffer(4));
    const until = performance.now() + LAST_WRITES_MS;
    // Another thread writes the current piece.
    if (isWriting) pieces.shift();
    for (let piece = pieces[0]; piece !== undefined && performance.now() < until; piece = pieces[0]) {
      try {
        settle(piece, writeSync(fd, restOf(piece)));
      } catch (error) {
        if (isFull(error)) Atomics.wait(sleeper, 0, 0, FULL_PIPE_PAUSE_MS);
        else settle(piece, undefined);
      }
    }
  }

  process.once('exit', writeLast);
  return { write: add };
}

function isFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'EAGAIN';
}

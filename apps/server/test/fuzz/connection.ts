import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, takeAnswer } from './answers.ts';

export type Connection = {
  /**
   * Writes the bytes in pieces, until the server hangs up. `cuts`: where, as shares of the whole.
   */
  write(bytes: Buffer, how: { cuts: readonly number[]; pauseMs: number }): Promise<void>;
  /**
   * The next answer; undefined when the server has hung up in place of one. Throws when it is late,
   * cut or no HTTP.
   */
  read(what: { isHead: boolean }): Promise<Answer | undefined>;
  /** Says that nothing more will be written. */
  end(): void;
  /** Reads no more from now on. */
  stopReading(): void;
  drop(): void;
  isUsable(): boolean;
};

/**
 * A connection on which anything at all may be written. `answerTimeoutMs`: no answer may be later.
 */
export async function connect({
  port,
  answerTimeoutMs,
}: {
  port: number;
  answerTimeoutMs: number;
}): Promise<Connection> {
  const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  let received: Buffer = Buffer.alloc(0);
  let isOver = false;
  let look = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    look();
  });
  // The server may well hang up in the middle of what is written here.
  socket.on('error', () => {});
  for (const event of ['end', 'close'] as const) {
    socket.on(event, () => {
      isOver = true;
      look();
    });
  }

  function take(isHead: boolean): Answer | undefined {
    const taken = takeAnswer(received, { isHead, isOver });
    if (taken === undefined) return undefined;
    received = received.subarray(taken.length);
    return taken.answer;
  }

  return {
    async write(bytes, { cuts, pauseMs }) {
      const ends = [...cuts.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b), bytes.length];
      let from = 0;
      for (const end of ends) {
        if (isOver || socket.destroyed) return;
        if (from > 0) await pause(pauseMs);
        socket.write(bytes.subarray(from, end));
        from = end;
      }
    },
    async read({ isHead }) {
      const deadline = performance.now() + answerTimeoutMs;
      for (;;) {
        const answer = take(isHead);
        if (answer !== undefined) return answer;
        if (isOver && received.length === 0) return undefined;
        if (isOver) throw new Error(`cut in the middle of an answer: ${received.toString('latin1', 0, 500)}`);
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) throw new Error(`no whole answer after ${answerTimeoutMs} ms`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          look = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    end: () => void socket.end(),
    stopReading: () => void socket.pause(),
    drop: () => void socket.destroy(),
    isUsable: () => !isOver && !socket.destroyed && received.length === 0,
  };
}

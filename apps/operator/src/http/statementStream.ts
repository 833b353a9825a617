import { toMicros } from '@roundhouse/contract';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { findAccount } from '../ledger/accounts.ts';
import type { Ledger } from '../ledger/database.ts';
import { followStatement, type StatementRow } from '../ledger/statement.ts';
import { lastEventIDSchema, playerParamsSchema, streamQuerySchema } from './apiSchemas.ts';
import { InvalidRequest } from './errors.ts';

/** Ends streams, which would keep the server from closing. */
export type OpenStreams = Set<() => void>;

export type StatementStreamDeps = { ledger: Ledger; log: Logger; streams: OpenStreams };

/** Returns an entry of the statement as the lobby page reads it. */
export function wireEntry({ id, at, amount, balanceAfter, ...row }: StatementRow) {
  return {
    ...row,
    id: String(id),
    at: at.toISOString(),
    amount: toMicros(amount),
    balanceAfter: toMicros(balanceAfter),
  };
}

/** Proxies close connections that are silent for longer. */
const HEARTBEAT_MS = 15_000;
/** With more unsent bytes the stream closes. The page reconnects with its last entry. */
const MAX_BEHIND_BYTES = 256 * 1024;

/**
 * Sends new entries of the statement as server-sent events: every entry written after the headers
 * of the response. A browser that reconnects names the last entry that it received, and the stream
 * continues there.
 */
export function statementStream({ ledger, log, streams }: StatementStreamDeps): RequestHandler {
  return async (req, res) => {
    const { playerID } = playerParamsSchema.parse(req.params);
    const { currency } = streamQuerySchema.parse(req.query);
    const account = await findAccount(ledger.db, { playerID, currency });
    if (account === undefined) throw new InvalidRequest('the player has no account in this currency', 404);

    const after = lastEventIDSchema.parse(req.headers['last-event-id']);
    const waiting: string[] = [];
    const write = (text: string) => {
      if (!res.headersSent) waiting.push(text);
      else if (res.writableLength < MAX_BEHIND_BYTES) res.write(text);
      else res.destroy();
    };
    const following = await followStatement(ledger, account.id, {
      after,
      onRow(row) {
        const data = JSON.stringify({ entry: wireEntry(row), balance: Number(row.balanceAfter) });
        write(`id: ${row.id}\nevent: entry\ndata: ${data}\n\n`);
      },
      onError(error) {
        log.warn(
          { err: error, requestId: res.locals.requestId },
          'reading a statement failed; the page connects again',
        );
        end();
      },
    });
    const heartbeat = setInterval(() => write(': heartbeat\n\n'), HEARTBEAT_MS);
    function end(): void {
      clearInterval(heartbeat);
      following.stop();
      streams.delete(end);
      res.end();
    }
    streams.add(end);
    res.once('close', end);
    // A client that has already left sends no `close`.
    if (res.closed) return end();
    res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    res.flushHeaders();
    res.write(': new entries follow\n\n');
    for (const text of waiting) res.write(text);
  };
}

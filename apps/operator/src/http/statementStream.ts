import { toMicros } from '@roundhouse/contract';
import type { RequestHandler } from 'express';
import { followStatement } from '../casino/followStatement.ts';
import { findAccount } from '../ledger/accounts.ts';
import type { StatementRow } from '../ledger/statement.ts';
import { lastEventIDSchema, playerParamsSchema, streamQuerySchema } from './apiSchemas.ts';
import type { HttpDeps } from './httpDeps.ts';
import { InvalidRequest } from './invalidRequest.ts';

/** An entry of the statement as the lobby page reads it. */
export function wireEntry({ id, at, kind, amount, balanceAfter, transactionID, roundID, gameID }: StatementRow) {
  return {
    id: String(id),
    at: at.toISOString(),
    kind,
    amount: toMicros(amount),
    balanceAfter: toMicros(balanceAfter),
    transactionID,
    roundID,
    gameID,
  };
}

/** So that nobody on the way takes the connection for dead. */
const HEARTBEAT_MS = 15_000;
/** A page that takes nothing is cut off when so much waits for it; it connects again, and says where it was. */
const MAX_BEHIND_BYTES = 256 * 1024;

/**
 * The statement as it grows, by server-sent events. The stream has every entry that is written after the headers of the response. A browser that has lost its
 * connection says which entry it saw last, and goes on from there.
 */
export function statementStream({ books, log, streams }: HttpDeps): RequestHandler {
  return async (req, res) => {
    const { playerID } = playerParamsSchema.parse(req.params);
    const { currency } = streamQuerySchema.parse(req.query);
    const account = await findAccount(books.db, { playerID, currency });
    if (account === undefined) throw new InvalidRequest('the player has no account in this currency', 404);

    const after = lastEventIDSchema.parse(req.headers['last-event-id']);
    const waiting: string[] = [];
    const write = (text: string) => {
      if (!res.headersSent) waiting.push(text);
      else if (res.writableLength < MAX_BEHIND_BYTES) res.write(text);
      else res.destroy();
    };
    const following = await followStatement(books, account.id, {
      after,
      show(row) {
        const data = JSON.stringify({ entry: wireEntry(row), balance: Number(row.balanceAfter) });
        write(`id: ${row.id}\nevent: entry\ndata: ${data}\n\n`);
      },
      failed(error) {
        // The page connects again, and says where it was.
        log.warn({ err: error, requestId: res.locals.requestId }, 'a statement cannot be followed any more');
        end();
      },
    });
    const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
    function end(): void {
      clearInterval(heartbeat);
      following.stop();
      streams.delete(end);
      res.end();
    }
    streams.add(end);
    res.once('close', end);
    // Whoever left while we looked the account up has no stream to close any more.
    if (res.closed) return end();
    res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    res.flushHeaders();
    res.write(': the statement from here on\n\n');
    for (const text of waiting) res.write(text);
  };
}

import { pipeline } from 'node:stream/promises';
import { type adminStreamContract, ROWS_HEADER } from '@roundhouse/contract/admin';
import { errorResponse, notFoundResponse, sendJson } from '../../../base/http/responses.ts';
import { estimateRows } from '../../../store/database/estimateRows.ts';
import type { AdminDeps } from '../adminDeps.ts';
import { callerOf, hasRight, recordRequest } from '../guard.ts';
import { scopeOf } from '../operatorScope.ts';
import type { StreamHandlers } from '../stream.ts';
import { CONTENT_TYPES, fileOf } from './files.ts';
import type { AdminHandlers, Opened, Table } from './table.ts';
import { TABLES } from './tables.ts';

/**
 * Sends a table as a file while its rows are read: it reads on when the client has taken what was
 * sent, and stops when the client goes. A failure in the middle cuts the connection, so that
 * nobody takes a part for the whole.
 */
export function downloadHandler(
  deps: AdminDeps,
  handlers: AdminHandlers,
): Pick<StreamHandlers<typeof adminStreamContract>, 'download'> {
  const { db, log } = deps;
  return {
    download: async ({ params: { table: name }, query: { format, ...query }, req, res }) => {
      const caller = callerOf(res);
      const table = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
      if (table === undefined) return notFoundResponse('there is no such table');
      if (!hasRight(caller, table.list)) {
        await recordRequest(db, 'access_refused', { subject: 'request download', req });
        return { ...errorResponse('ERR_VAL', `your role, ${caller.role}, may not do this`), status: 403 };
      }
      const opened = await table.open({ deps, handlers, exchange: { req, res }, query });
      if (!opened.ok) {
        sendJson(res, opened);
        return undefined;
      }
      const isFiltered = scopeOf(res).operatorID !== undefined || Object.keys(query).length > 0;
      const rows = await rowsOf(table, opened, { isFiltered });
      if (rows !== undefined) res.setHeader(ROWS_HEADER, rows);
      res.setHeader('Content-Type', CONTENT_TYPES[format]);
      const day = new Date().toISOString().slice(0, 10);
      res.setHeader('Content-Disposition', `attachment; filename="${name}-${day}.${format}"`);
      try {
        await pipeline(fileOf(format, { columns: table.columns, pages: opened.pages }), res);
      } catch (err) {
        const isGone = (err as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
        if (!isGone) log.error({ err, requestId: res.locals.requestId }, 'a download of the console failed');
      }
      return undefined;
    },
  };

  async function rowsOf({ estimateOf }: Table, { rows }: Opened, { isFiltered }: { isFiltered: boolean }) {
    if (rows !== undefined || isFiltered || estimateOf === undefined) return rows;
    return estimateRows(db, estimateOf);
  }
}

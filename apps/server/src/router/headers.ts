import type { IncomingHttpHeaders } from 'node:http';
import { ASKED_HEADER, CELL_HEADER, CURSORS_HEADER, FLEET_HEADER } from '@roundhouse/fleet';
import type { Request, Response } from 'express';

export type OutgoingHeaders = Record<string, string | string[]>;

/** These are about one connection (RFC 9110, 7.6.1), so they go to no further one. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The router writes these itself, whatever a client sends. */
const OWN = [ASKED_HEADER, CELL_HEADER, CURSORS_HEADER, FLEET_HEADER];

/**
 * The body has been read, so its length is known, and node has responded to an Expect. A Forwarded
 * would contradict the X-Forwarded headers.
 */
const NOT_TO_CELLS = new Set([...HOP_BY_HOP, ...OWN, 'host', 'content-length', 'expect', 'forwarded', 'x-request-id']);

const NOT_TO_CLIENTS = new Set([...HOP_BY_HOP, ...OWN, 'x-request-id']);

/**
 * Returns the headers of a client's request for a cell. The signature covers none of them but its
 * own, which stay as they are.
 */
export function headersToCell(req: Request, { fleetVersion }: { fleetVersion: number }): OutgoingHeaders {
  const { headers, socket } = req;
  const out = without(headers, NOT_TO_CELLS);
  const isTrusted = (req.app.get('trust proxy fn') as (address: string, hop: number) => boolean)(
    socket.remoteAddress ?? '',
    0,
  );
  const forwarded = isTrusted ? headers['x-forwarded-for'] : undefined;
  const address = socket.remoteAddress ?? 'unknown';
  out['x-forwarded-for'] = forwarded === undefined ? address : `${forwarded}, ${address}`;
  out['x-forwarded-proto'] = req.protocol;
  const host = isTrusted ? (headers['x-forwarded-host'] ?? headers.host) : headers.host;
  if (host === undefined) delete out['x-forwarded-host'];
  else out['x-forwarded-host'] = host;
  // The log lines of the router and of the cell have one id.
  out['x-request-id'] = req.res?.locals.requestId as string;
  out[FLEET_HEADER] = String(fleetVersion);
  return out;
}

/** Gives a client the headers of a cell's response. */
export function copyToClient(headers: IncomingHttpHeaders, res: Response): void {
  for (const [name, value] of Object.entries(without(headers, NOT_TO_CLIENTS))) res.setHeader(name, value);
}

function without(headers: IncomingHttpHeaders, leftOut: ReadonlySet<string>): OutgoingHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const out: OutgoingHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !leftOut.has(name) && !named.has(name)) out[name] = value;
  }
  return out;
}

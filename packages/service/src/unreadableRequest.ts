import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { UnreadableResponse } from './clientConnections.ts';

/** The keys are codes of node's parser. */
const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the head of the request is larger than 16 KiB',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the body says too much about its chunks',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/**
 * Responds to bytes that are no HTTP request, or to a late request: 400 with ERR_VAL, since there
 * is no path. `headers` are further header lines.
 */
export function createUnreadableResponse({
  log,
  headers = [],
}: {
  log: Logger;
  headers?: readonly string[];
}): UnreadableResponse {
  return ({ code = '' }, { remoteAddress: ip }) => {
    const requestId = randomUUID();
    const body = { error: 'ERR_VAL', message: MESSAGES[code] ?? 'the request cannot be read' };
    log.info({ requestId, ip, status: 400, error: body.error, code }, 'request');
    const text = JSON.stringify(body);
    return [
      'HTTP/1.1 400 Bad Request',
      `X-Request-Id: ${requestId}`,
      ...headers,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n');
  };
}

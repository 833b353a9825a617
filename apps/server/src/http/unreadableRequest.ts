import { randomUUID } from 'node:crypto';
import type { UnreadableAnswer } from '@roundhouse/service';
import type { Logger } from 'pino';
import { errorResponse } from './responses.ts';

/** The codes of node's parser, in words for the client. */
const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the head of the request is larger than 16 KiB',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the body says too much about its chunks',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/**
 * The response to bytes that are no HTTP, or that do not arrive in time. They have no path, and the five endpoints have the statuses
 * 200, 400 and 500 only.
 */
export function createUnreadableAnswer(log: Logger): UnreadableAnswer {
  return ({ code = '' }, { remoteAddress: ip }) => {
    const requestId = randomUUID();
    const { status, body } = errorResponse('ERR_VAL', MESSAGES[code] ?? 'the request cannot be read');
    log.info({ requestId, ip, status, error: body.error, code }, 'request');
    const text = JSON.stringify(body);
    return [
      'HTTP/1.1 400 Bad Request',
      `X-Request-Id: ${requestId}`,
      'Access-Control-Allow-Origin: *',
      'Access-Control-Expose-Headers: X-Request-Id',
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

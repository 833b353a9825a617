import http from 'node:http';
import type { Express } from 'express';

type Messages = Pick<http.ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Returns constructors that make a server's requests and responses as Express's own. Otherwise
 * Express changes the prototype of both at every request. That makes them slow objects, which is
 * two thirds of the cost of a small request. The prototype of each constructor is node's own
 * constructor, by which V8 reckons how many properties an object will have. Too little room also
 * makes a slow object (decision 003).
 */
export function expressMessages(app: Express): Messages {
  function ExpressRequest(this: http.IncomingMessage, ...args: unknown[]): void {
    Reflect.apply(http.IncomingMessage, this, args);
  }
  ExpressRequest.prototype = app.request;
  Object.setPrototypeOf(ExpressRequest, http.IncomingMessage);
  function ExpressResponse(this: http.ServerResponse, ...args: unknown[]): void {
    Reflect.apply(http.ServerResponse, this, args);
  }
  ExpressResponse.prototype = app.response;
  Object.setPrototypeOf(ExpressResponse, http.ServerResponse);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse } as unknown as Messages;
}

/** express.static refuses only a part or a version of a file in this way. */
const MESSAGES = { 412: 'the file is another one', 416: 'the file has no such part' } as const;

type FileRefusal = { status: keyof typeof MESSAGES; message: string; headers: Record<string, string> };

/** Returns the refusal in an error of express.static; undefined for every other error. */
export function fileRefusal(error: unknown): FileRefusal | undefined {
  const { status, headers = {} } = (error ?? {}) as { status?: unknown; headers?: Record<string, string> };
  return status === 412 || status === 416 ? { status, message: MESSAGES[status], headers } : undefined;
}

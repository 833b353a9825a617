import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '@roundhouse/contract';
import { deliver, type ReceivedRequest, type ReceivedResponse, relay } from './delivery.ts';

export type Injection = {
  /** Reads the request, once. */
  read: () => Promise<ReceivedRequest>;
  res: ServerResponse;
  socket: Socket;
  /** This header lets a delivery pass the switch. */
  pass: Record<string, string>;
  errorResponse: (code: string | undefined) => { status: number; body: unknown };
};

/** Begins like a response of the protocol, and is not JSON. */
const MALFORMED_JSON = '{"balance":{"amount":<!doctype html>';

/** Applies the fault to the request. Rejects when the server's own response could not be read. */
export async function inject(fault: Fault, injection: Injection): Promise<void> {
  const { read, res, socket, pass } = injection;
  switch (fault.kind) {
    case 'lost_request':
      cutWithin(socket);
      return;
    case 'error':
      if (fault.afterWork === true) await deliver(await read(), pass);
      sendError(fault.error, injection);
      return;
    case 'delay': {
      const request = await read();
      // A late request must not keep a process alive that is ending.
      await wait(fault.delayMs, undefined, { ref: false });
      relay(res, await deliver(request, pass));
      return;
    }
    case 'lost_response':
      await deliver(await read(), pass);
      cutWithin(socket);
      return;
    case 'silent_close':
      await deliver(await read(), pass);
      socket.destroy();
      return;
    case 'malformed_response':
      await deliver(await read(), pass);
      send(res, { status: 200, text: MALFORMED_JSON });
      return;
    case 'duplicate':
      relay(res, await deliverTwice(await read(), pass));
  }
}

/** After the first byte of a response, since a client may repeat a request that has none. */
function cutWithin(socket: Socket): void {
  socket.write('H');
  socket.destroySoon();
}

/** Sends both at once and returns the first response. */
function deliverTwice(request: ReceivedRequest, pass: Record<string, string>): Promise<ReceivedResponse> {
  return Promise.any([deliver(request, pass), deliver(request, pass)]);
}

function sendError(code: string | undefined, { res, errorResponse }: Injection): void {
  const { status, body } = errorResponse(code);
  send(res, { status, text: JSON.stringify(body) });
}

function send(res: ServerResponse, { status, text }: { status: number; text: string }): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store');
  res.end(text);
}

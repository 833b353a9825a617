import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '@roundhouse/contract';
import { type Answer, type Call, deliver, readCall, relay } from './delivery.ts';

export type Injection = {
  req: IncomingMessage;
  res: ServerResponse;
  /** The caller's connection. */
  socket: Socket;
  /** The header with which the switch lets a delivery pass. */
  pass: Record<string, string>;
  answerError: (code: string | undefined) => { status: number; body: unknown };
};

/** Looks like the beginning of an answer, and is not JSON. */
const GARBAGE = '{"balance":{"amount":<!doctype html>';

/** Does to the call what the fault says. Rejects when the work could not be done, or the answer not be had. */
export async function inject(fault: Fault, injection: Injection): Promise<void> {
  const { req, res, socket, pass } = injection;
  switch (fault.kind) {
    case 'cut':
      socket.destroy();
      return;
    case 'error':
      if (fault.afterWork === true) await deliver(await readCall(req), pass);
      answerError(fault.error, injection);
      return;
    case 'delay': {
      const call = await readCall(req);
      // Nobody stays for a late call: a process that ends meanwhile ends.
      await wait(fault.delayMs, undefined, { ref: false });
      relay(res, await deliver(call, pass));
      return;
    }
    case 'lost_answer':
      await deliver(await readCall(req), pass);
      socket.destroy();
      return;
    case 'garbage':
      await deliver(await readCall(req), pass);
      answer(res, { status: 200, text: GARBAGE });
      return;
    case 'duplicate':
      relay(res, await deliverTwice(await readCall(req), pass));
  }
}

/** Both at once; the first answer that arrives. */
function deliverTwice(call: Call, pass: Record<string, string>): Promise<Answer> {
  return Promise.any([deliver(call, pass), deliver(call, pass)]);
}

function answerError(code: string | undefined, { res, answerError: toAnswer }: Injection): void {
  const { status, body } = toAnswer(code);
  answer(res, { status, text: JSON.stringify(body) });
}

function answer(res: ServerResponse, { status, text }: { status: number; text: string }): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store');
  res.end(text);
}

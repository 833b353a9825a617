import type { Readable } from 'node:stream';
import type { Cell } from '@roundhouse/fleet';
import { errors } from 'undici';
import { type Asking, awayMessage, isMisdirected, issueOfFleet } from './ask.ts';
import type { CellAway, CellOutcome, CellResponse } from './cellClient.ts';
import { jsonObjectIn } from './jsonObject.ts';

/** A cell has responded, and its body is read. */
export type Answered = Omit<CellResponse, 'body'> & { bytes: Buffer };

/**
 * passed: the response of one cell is used for all. merge: all cells have responded with 200, or
 * with 404 where a route allows it.
 */
export type AllAnswers =
  | { kind: 'passed'; response: Answered }
  | { kind: 'failed'; message: string }
  | { kind: 'merge'; answers: Answered[] };

type AskAll = {
  /**
   * True if the request changes something: the first cell judges it before any other one gets it.
   */
  writes: boolean;
  /** A cell without the thing does not stop the others. */
  allows404: boolean;
};

/** A page of 1,000 grants in 50 games each is this large at most. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Sends one request to several cells, and to each once. A part is never returned as the whole: when
 * a cell is away, the response names it.
 */
export async function askAll(cells: readonly Cell[], asking: Asking, how: AskAll): Promise<AllAnswers> {
  const { routed, request, observeHops } = asking;
  const send = async (cell: Cell) => readAnswer(await routed.clientOf(cell).send(request));
  const [first, ...others] = cells;
  if (first === undefined) return { kind: 'failed', message: 'the fleet has no cell for this request' };
  observeHops(cells.length);
  if (!how.writes) return judged(await Promise.all(cells.map(send)), how);
  const judge = await send(first);
  const only = judged([judge], how);
  if (only.kind !== 'merge') return only;
  return judged([judge, ...(await Promise.all(others.map(send)))], how);
}

function judged(outcomes: readonly (Answered | CellAway)[], { writes, allows404 }: AskAll): AllAnswers {
  const away = outcomes.filter((outcome) => outcome.kind === 'away');
  const answers = outcomes.filter((outcome) => outcome.kind === 'response');
  for (const answer of answers) {
    const message = issueOfFleet(answer as unknown as CellResponse);
    if (message !== undefined) return { kind: 'failed', message };
  }
  // The list is of all cells: none of them can send it on.
  const astray = answers.find(isMisdirected);
  if (astray !== undefined) {
    return { kind: 'failed', message: `cell ${astray.cell.name} says that another cell serves the request` };
  }
  const refusals = answers.filter(({ status }) => status !== 200 && !(allows404 && status === 404));
  // A refusal is about the request, and better than the news that another cell is away. An error of
  // one of several cells says nothing of the request, and not which cell it is.
  const refusal = refusals.find((each) => isRefusal(each) || outcomes.length === 1);
  if (refusal !== undefined && (!writes || answers.length === 1)) return { kind: 'passed', response: refusal };
  if (away.length === 0 && refusals.length === 0) return { kind: 'merge', answers };
  const done = answers.filter(({ status }) => status === 200).map(({ cell }) => cell.name);
  const words = refusals.map((each) => `cell ${each.cell.name} responds with ${each.status}: ${messageOf(each)}`);
  if (away.length > 0) words.unshift(awayMessage(away));
  if (writes && done.length > 0)
    words.push(`it is done in ${done.join(', ')}: the same request goes on where it is not`);
  return { kind: 'failed', message: words.join('; ') };
}

/**
 * A refusal of the operator API has a code. A cell, or a proxy before it, may respond with anything
 * else.
 */
function isRefusal({ status, bytes }: Answered): boolean {
  return status >= 400 && status < 500 && typeof jsonObjectIn(bytes)?.error === 'string';
}

async function readAnswer(outcome: CellOutcome): Promise<Answered | CellAway> {
  if (outcome.kind === 'away') return outcome;
  const { body, ...rest } = outcome;
  try {
    return { ...rest, bytes: await readUpTo(body, MAX_BODY_BYTES) };
  } catch (error) {
    const isLate = error instanceof errors.BodyTimeoutError;
    const reason = isLate ? 'its response does not end in time' : 'its response is cut or too large';
    return { kind: 'away', cell: outcome.cell, reason };
  }
}

async function readUpTo(body: Readable, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new Error('the response of a cell is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function messageOf(answer: Answered): string {
  return String(jsonObjectIn(answer.bytes)?.message ?? 'no message');
}

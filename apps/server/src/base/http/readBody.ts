import { setTimeout as wait } from 'node:timers/promises';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** The request breaks the rules of the wire: ERR_VAL. The message is for the client. */
export class InvalidRequest extends Error {
  /** What is not right, by field; empty when the request as a whole is not. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.fields = fields;
  }
}

const BYTES_PER_KIB = 1024;
/** The largest body in bytes, where its path allows no more. */
export const MAX_BODY_BYTES = 16 * BYTES_PER_KIB;
/** Time in milliseconds for which a client may go on sending a body that is too large. */
const DISCARD_MS = 1_000;

/**
 * Reads the bytes of a body as they were sent. Compressed bodies are refused: a few bytes of brotli
 * can cost 16 MB and 40 ms (decision 003).
 */
export const readBytes: RequestHandler = readUpTo(MAX_BODY_BYTES);

/** Returns what `readBytes` is, for bodies of at most `maxBytes`. */
export function readUpTo(maxBytes: number): RequestHandler {
  return (req, res, next) => {
    const { 'content-encoding': encoding = 'identity', 'content-length': length } = req.headers;
    if (length === undefined && req.headers['transfer-encoding'] === undefined) return next();
    if (encoding.toLowerCase() !== 'identity') {
      return next(new InvalidRequest('the body has a Content-Encoding; only a plain body is taken'));
    }
    const refuse = () => void discard({ req, res, next }, maxBytes);
    if (Number(length) > maxBytes) return refuse();
    const pieces: Buffer[] = [];
    let bytes = 0;
    const take = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= maxBytes) return void pieces.push(piece);
      req.off('data', take).off('end', end).off('error', fail);
      refuse();
    };
    const end = () => {
      req.body = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
      next();
    };
    const fail = () => next(new InvalidRequest('the request cannot be read'));
    req.on('data', take).on('end', end).on('error', fail);
  };
}

type Exchange = { req: Request; res: Response; next: NextFunction };

/**
 * Refuses a body that is too large. When a server closes a connection while its client still sends,
 * a reset may take the response with it. So the response comes with the end of the body, or after a
 * second, and then the connection is closed.
 */
async function discard({ req, res, next }: Exchange, maxBytes: number): Promise<void> {
  const ended = new Promise((resolve) => req.once('end', resolve).once('error', resolve).resume());
  await Promise.race([ended, wait(DISCARD_MS, undefined, { ref: false })]);
  if (!req.complete) res.setHeader('Connection', 'close');
  next(new InvalidRequest(`the body is larger than ${maxBytes / BYTES_PER_KIB} KiB`));
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads one JSON object of a game, whatever the Content-Type says. Anything else is an
 * InvalidRequest. Games compute with doubles, so a number is what a double makes of it.
 */
export const readBody: RequestHandler = (req, res, next) => {
  readBytes(req, res, (error?: unknown) => {
    if (error !== undefined) return next(error);
    try {
      req.body = parseBody(req, { areNumbersExact: false });
      next();
    } catch (error) {
      next(error);
    }
  });
};

/** Node itself responds to 100-continue. */
function hasUnknownExpectation({ headers }: Request): boolean {
  return headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue';
}

/**
 * Returns the JSON object in the bytes that are the body of this request so far.
 * @param areNumbersExact refuses a fraction that becomes whole only by being read: so for operators
 * and staff
 * @throws InvalidRequest when it is anything else.
 */
export function parseBody(req: Request, { areNumbersExact = true } = {}): object {
  if (hasUnknownExpectation(req)) throw new InvalidRequest('the expectation of the request cannot be met');
  if (!Buffer.isBuffer(req.body) || req.body.length === 0) throw new InvalidRequest('the body is empty');
  const text = textOf(req.body);
  const value = parsedJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequest('the body is not a JSON object');
  }
  // A key that appears twice is refused: two readers of the body may read different amounts
  // (decision 003).
  const members = topLevelMembers(text);
  if (new Set(members.map(({ key }) => key)).size !== members.length) {
    throw new InvalidRequest('the body has the same key twice');
  }
  for (const { number } of members) {
    if (number === undefined) continue;
    if (isTooLong(number)) throw new InvalidRequest('a number in the body is too long');
    if (areNumbersExact && becomesWhole(number))
      throw new InvalidRequest('a number in the body is not whole, and too precise for a double');
  }
  return value;
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new InvalidRequest('the body is not UTF-8');
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequest('the body is not JSON');
  }
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** No amount needs more, even with many zeros behind the point. */
const MAX_NUMBER_CHARS = 64;

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` are each this bit apart, and no other characters are. */
const CURLY = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** A member of the outermost object has a key, and perhaps a number as the client wrote it. */
export type Member = { key: string; number?: string };

/**
 * Returns the members of the outermost object of valid JSON, in order, with repetitions. Looks at
 * each character once.
 */
export function topLevelMembers(json: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let text = '';
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfText(json, at);
      if (depth === 1) text = json.slice(at, end);
      at = end - 1;
    } else if ((char | CURLY) === OPENING) depth += 1;
    else if ((char | CURLY) === CLOSING) depth -= 1;
    else if (depth !== 1) continue;
    // In valid JSON a colon outside of a text follows a key and nothing else does.
    else if (char === COLON) members.push({ key: keyOf(text) });
    else if (char === MINUS || isDigit(char)) {
      const end = endOfNumber(json, at);
      Object.assign(members.at(-1) as Member, { number: json.slice(at, end) });
      at = end - 1;
    }
  }
  return members;
}

/** Returns the index behind the quotation mark that ends the text. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) return at + 1;
    if (char === BACKSLASH) at += 1;
  }
  return json.length;
}

function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  while (isOfNumber(json.charCodeAt(at))) at += 1;
  return at;
}

function isDigit(char: number): boolean {
  return char >= ZERO && char <= NINE;
}

/** The first character of a number may be followed by digits and `+-.eE`. */
function isOfNumber(char: number): boolean {
  return isDigit(char) || char === 0x2b || char === MINUS || char === 0x2e || char === 0x45 || char === 0x65;
}

function keyOf(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** Returns whether a number is longer than any amount needs. */
export function isTooLong(number: string): boolean {
  return number.length > MAX_NUMBER_CHARS;
}

/**
 * Returns whether reading makes a written fraction a whole number: a double holds about 16 digits,
 * so 1000000.00000000001 reads as 1000000.
 */
export function becomesWhole(number: string): boolean {
  return Number.isInteger(Number(number)) && !isWhole(number);
}

function isWhole(number: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  const digits = whole + fraction;
  // Zeros at the end do not count. /0+$/ would be quadratic: it tries each zero as a start.
  let counting = digits.length;
  while (counting > 0 && digits[counting - 1] === '0') counting -= 1;
  // The exponent carries digits before the point; the others are behind it.
  return counting === 0 || counting - whole.length <= Number(exponent);
}

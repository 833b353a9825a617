import fc from 'fast-check';

/** Says where a request's body ends: its header lines, and the bytes after the head. */
export type Framing = (body: Buffer) => { lines: readonly string[]; bytes: Buffer };

const CHUNKED = 'Transfer-Encoding: chunked';
const joined = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

/** Sends the body as it is; `#` stands for its length. */
const bare =
  (...lines: string[]): Framing =>
  (body) => ({ lines: lines.map((line) => line.replaceAll('#', String(body.length))), bytes: body });

/** Makes chunks of `size` bytes, with `extension` behind each size and `trailers` at the end. */
export const inChunks =
  (size: number, { extension = '', trailers = '', lines = [CHUNKED] } = {}): Framing =>
  (body) => {
    const parts: (Buffer | string)[] = [];
    for (let from = 0; from < body.length; from += size) {
      const part = body.subarray(from, from + size);
      parts.push(`${part.length.toString(16)}${extension}\r\n`, part, '\r\n');
    }
    return { lines, bytes: joined(...parts, `0\r\n${trailers}\r\n`) };
  };

/** Puts bytes before and behind a body that claims to be in chunks. */
const between =
  (before: string, behind = ''): Framing =>
  (body) => ({ lines: [CHUNKED], bytes: joined(before, body, behind) });

export const inFull = bare('Content-Length: #');

/** All of these mean the same. */
export const soundFraming = fc.constantFrom(
  ...[inFull, inChunks(1_000), inChunks(1), bare('content-length:   #  ')],
  inChunks(50, { extension: ';name=value', trailers: 'X-Trailer: a\r\n' }),
  inChunks(9, { lines: ['transfer-encoding: CHUNKED'] }),
);

// biome-ignore format: one list
const BROKEN_CHUNKED = [
  [CHUNKED, 'Content-Length: 5'], ['Transfer-Encoding: chunked, identity'], ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding: identity'], ['Transfer-Encoding : chunked'], ['Transfer-Encoding:\u000bchunked'],
  ['Transfer-Encoding: identity', CHUNKED], [CHUNKED, CHUNKED], ['X-A: b\nTransfer-Encoding: chunked'],
  ['X-A: b\rTransfer-Encoding: chunked'], ['Transfer-Encoding:', ' chunked'],
];
// biome-ignore format: one list
const BROKEN_LENGTHS = [
  ['Content-Length: #', CHUNKED], ['Content-Length: #', 'Content-Length: 5'], ['Content-Length: #', 'Content-Length: #'],
  ['Content-Length: #', 'Content-Length: 99999999999999999999'], ['Content-Length: #, #'], ['Content-Length: +#'],
  ['Content-Length: 000#'], ['Content-Length: 0x#'], ['Content-Length: #.0'], ['Content-Length : #'], ['Content-Length: 3'],
  ['Content-Length: -1'], ['Content-Length: '], [], [CHUNKED],
];

/** Servers disagree on where the body ends. */
export const brokenFraming = fc.constantFrom(
  ...BROKEN_CHUNKED.map((lines) => inChunks(20, { lines })),
  ...BROKEN_LENGTHS.map((lines) => bare(...lines)),
  ...['fffffffffffffffff\r\n', '-1\r\n', '0x10\r\n', '1_0\r\n', '5;a\u0000\r\n'].map((size) => between(size)),
  ...['1\r\n', '\r\n'].map((size) => between(size, '\r\n0\r\n\r\n')),
);

/** Makes framings with a whole request at the place where one reading lets the body end. */
export const smugglingOf = (hidden: Buffer): fc.Arbitrary<Framing> =>
  fc.constantFrom<Framing>(
    // Content-Length makes it the body; chunks make the body empty.
    () => ({ lines: [`Content-Length: ${hidden.length + 5}`, CHUNKED], bytes: joined('0\r\n\r\n', hidden) }),
    () => ({ lines: [CHUNKED, 'Content-Length: 5'], bytes: joined('0\r\n\r\n', hidden) }),
    // The shorter one of two lengths ends before it.
    (body) => ({
      lines: [`Content-Length: ${body.length}`, `Content-Length: ${body.length + hidden.length}`],
      bytes: joined(body, hidden),
    }),
    // One server knows the coding and another does not.
    () => ({ lines: [CHUNKED, 'Transfer-Encoding: x', 'Content-Length: 5'], bytes: joined('0\r\n\r\n', hidden) }),
    // One server cuts the size of the chunk at the first letter that is not a digit.
    () => ({ lines: [CHUNKED], bytes: joined('0x5\r\n\r\n', hidden) }),
    // It is in the one body that there is.
    () => inFull(hidden),
  );

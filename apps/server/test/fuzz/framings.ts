/** How a request says where its body ends: its header lines, and the bytes after the head. */
export type Framing = (body: Buffer) => { lines: readonly string[]; bytes: Buffer };

const CHUNKED = 'Transfer-Encoding: chunked';
const lengthOf = (body: Buffer) => `Content-Length: ${body.length}`;

export const inFull: Framing = (body) => ({ lines: [lengthOf(body)], bytes: body });

/** Pieces of so many bytes, each with this behind its size, and these lines behind the last one. */
const inChunks =
  (size: number, { extension = '', trailers = '' } = {}): Framing =>
  (body) => {
    const pieces: Buffer[] = [];
    for (let from = 0; from < body.length; from += size) {
      const piece = body.subarray(from, from + size);
      pieces.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n'));
    }
    return { lines: [CHUNKED], bytes: Buffer.concat([...pieces, Buffer.from(`0\r\n${trailers}\r\n`)]) };
  };

/** All of these say the same, and are answered the same. */
export const SOUND_FRAMINGS: readonly Framing[] = [
  inFull,
  inFull,
  inChunks(1_000),
  inChunks(7),
  inChunks(1),
  inChunks(50, { extension: ';name=value' }),
  inChunks(50, { trailers: 'X-Trailer: a\r\n' }),
  (body) => ({ lines: [`content-length:   ${body.length}  `], bytes: body }),
  (body) => ({ ...inChunks(9)(body), lines: ['transfer-encoding: CHUNKED'] }),
];

/** With these header lines; `#` stands for the length of the body. */
const withLines =
  (...lines: string[]): Framing =>
  (body) => ({ lines: lines.map((line) => line.replaceAll('#', String(body.length))), bytes: body });
const inChunksWith =
  (...lines: string[]): Framing =>
  (body) => ({ ...inChunks(20)(body), lines });
const behind =
  (head: string, tail = ''): Framing =>
  (body) => ({ lines: [CHUNKED], bytes: Buffer.concat([Buffer.from(head), body, Buffer.from(tail)]) });

/** Each is read one way by one server and another way by the next, or by nobody. */
// biome-ignore format: one list
export const BROKEN_FRAMINGS: readonly Framing[] = [
  inChunksWith(CHUNKED, 'Content-Length: 5'), inChunksWith('Transfer-Encoding: chunked, identity'),
  inChunksWith('Transfer-Encoding: xchunked'), inChunksWith('Transfer-Encoding: identity'),
  inChunksWith('Transfer-Encoding : chunked'), inChunksWith('Transfer-Encoding:\u000bchunked'),
  inChunksWith('Transfer-Encoding: identity', CHUNKED), inChunksWith(CHUNKED, CHUNKED),
  inChunksWith('X-A: b\nTransfer-Encoding: chunked'), inChunksWith('X-A: b\rTransfer-Encoding: chunked'),
  inChunksWith('Transfer-Encoding:', ' chunked'),
  withLines('Content-Length: #', CHUNKED), withLines('Content-Length: #', 'Content-Length: 5'),
  withLines('Content-Length: #', 'Content-Length: 99999999999999999999'), withLines('Content-Length: #', 'Content-Length: #'),
  withLines('Content-Length: #, #'), withLines('Content-Length: +#'), withLines('Content-Length: 000#'),
  withLines('Content-Length: 0x#'), withLines('Content-Length: #.0'), withLines('Content-Length : #'),
  withLines('Content-Length: 3'), withLines('Content-Length: -1'), withLines('Content-Length: '), withLines(), withLines(CHUNKED),
  behind('fffffffffffffffff\r\n'), behind('-1\r\n'), behind('0x10\r\n'), behind('1_0\r\n'), behind('5;a\u0000\r\n'),
  behind('1\r\n', '\r\n0\r\n\r\n'), behind('\r\n', '\r\n0\r\n\r\n'),
];

/**
 * A whole request that stands where one reading lets a body end: who executes it has been taken in.
 */
export const SMUGGLERS: readonly ((hidden: Buffer) => Framing)[] = [
  // By its length it is the body; by chunks the body is empty.
  (hidden) => () => ({ lines: [lengthOf(afterNothing(hidden)), CHUNKED], bytes: afterNothing(hidden) }),
  (hidden) => () => ({ lines: [CHUNKED, 'Content-Length: 5'], bytes: afterNothing(hidden) }),
  // Of two lengths the shorter one ends before it.
  (hidden) => (body) => ({
    lines: [lengthOf(body), `Content-Length: ${body.length + hidden.length}`],
    bytes: Buffer.concat([body, hidden]),
  }),
  // A coding that one server knows and the next does not.
  (hidden) => () => ({ lines: [CHUNKED, 'Transfer-Encoding: x', 'Content-Length: 5'], bytes: afterNothing(hidden) }),
  // A size of a chunk that one server cuts at the first letter that is none.
  (hidden) => () => ({ lines: [CHUNKED], bytes: Buffer.concat([Buffer.from('0x5\r\n\r\n'), hidden]) }),
  // In the one body that there is, which is a text like any other.
  (hidden) => () => inFull(hidden),
];

const afterNothing = (hidden: Buffer) => Buffer.concat([Buffer.from('0\r\n\r\n'), hidden]);

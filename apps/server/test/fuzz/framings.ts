/** How a request says where its body ends: its header lines, and the bytes after the head. */
export type Framing = (body: Buffer) => { lines: readonly string[]; bytes: Buffer };

const CHUNKED = 'Transfer-Encoding: chunked';
const joined = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

export const inFull: Framing = (body) => ({ lines: [`Content-Length: ${body.length}`], bytes: body });

/** Chunks of so many bytes; the extension stands behind each size, the trailers behind the last. */
const inChunks =
  (size: number, { extension = '', trailers = '', lines = [CHUNKED] } = {}): Framing =>
  (body) => {
    const parts: (Buffer | string)[] = [];
    for (let from = 0; from < body.length; from += size) {
      const part = body.subarray(from, from + size);
      parts.push(`${part.length.toString(16)}${extension}\r\n`, part, '\r\n');
    }
    return { lines, bytes: joined(...parts, `0\r\n${trailers}\r\n`) };
  };

/** All of these mean the same. */
export const SOUND_FRAMINGS: readonly Framing[] = [
  inFull,
  inFull,
  inChunks(1_000),
  inChunks(7),
  inChunks(1),
  inChunks(50, { extension: ';name=value' }),
  inChunks(50, { trailers: 'X-Trailer: a\r\n' }),
  (body) => ({ lines: [`content-length:   ${body.length}  `], bytes: body }),
  inChunks(9, { lines: ['transfer-encoding: CHUNKED'] }),
];

/** Header lines before a body in chunks. */
// biome-ignore format: one list
const BROKEN_CHUNKED = [
  [CHUNKED, 'Content-Length: 5'], ['Transfer-Encoding: chunked, identity'], ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding: identity'], ['Transfer-Encoding : chunked'], ['Transfer-Encoding:\u000bchunked'],
  ['Transfer-Encoding: identity', CHUNKED], [CHUNKED, CHUNKED], ['X-A: b\nTransfer-Encoding: chunked'],
  ['X-A: b\rTransfer-Encoding: chunked'], ['Transfer-Encoding:', ' chunked'],
];
/** Header lines before a bare body; `#` stands for its length. */
// biome-ignore format: one list
const BROKEN_LENGTHS = [
  ['Content-Length: #', CHUNKED], ['Content-Length: #', 'Content-Length: 5'],
  ['Content-Length: #', 'Content-Length: 99999999999999999999'], ['Content-Length: #', 'Content-Length: #'],
  ['Content-Length: #, #'], ['Content-Length: +#'], ['Content-Length: 000#'], ['Content-Length: 0x#'], ['Content-Length: #.0'],
  ['Content-Length : #'], ['Content-Length: 3'], ['Content-Length: -1'], ['Content-Length: '], [], [CHUNKED],
];
/** What stands before and behind a body that claims to be in chunks. */
const BROKEN_SIZES = [
  ...['fffffffffffffffff\r\n', '-1\r\n', '0x10\r\n', '1_0\r\n', '5;a\u0000\r\n'].map((before) => [before, '']),
  ...['1\r\n', '\r\n'].map((before) => [before, '\r\n0\r\n\r\n']),
] as [before: string, behind: string][];

/** Servers disagree on where the body ends. */
export const BROKEN_FRAMINGS: readonly Framing[] = [
  ...BROKEN_CHUNKED.map((lines) => inChunks(20, { lines })),
  ...BROKEN_LENGTHS.map(
    (lines): Framing =>
      (body) => ({
        lines: lines.map((line) => line.replaceAll('#', String(body.length))),
        bytes: body,
      }),
  ),
  ...BROKEN_SIZES.map(
    ([before, behind]): Framing =>
      (body) => ({ lines: [CHUNKED], bytes: joined(before, body, behind) }),
  ),
];

/** Framings with a whole request at the place where one reading lets the body end. */
export const SMUGGLERS: readonly ((hidden: Buffer) => Framing)[] = [
  // By its length it is the body; by chunks the body is empty.
  (hidden) => () => ({ lines: [`Content-Length: ${hidden.length + 5}`, CHUNKED], bytes: joined('0\r\n\r\n', hidden) }),
  (hidden) => () => ({ lines: [CHUNKED, 'Content-Length: 5'], bytes: joined('0\r\n\r\n', hidden) }),
  // Of two lengths the shorter one ends before it.
  (hidden) => (body) => ({
    lines: [`Content-Length: ${body.length}`, `Content-Length: ${body.length + hidden.length}`],
    bytes: joined(body, hidden),
  }),
  // One server knows the coding and another does not.
  (hidden) => () => ({
    lines: [CHUNKED, 'Transfer-Encoding: x', 'Content-Length: 5'],
    bytes: joined('0\r\n\r\n', hidden),
  }),
  // One server cuts the size of the chunk at the first letter that is no digit.
  (hidden) => () => ({ lines: [CHUNKED], bytes: joined('0x5\r\n\r\n', hidden) }),
  // In the one body that there is.
  (hidden) => () => inFull(hidden),
];

import fc from 'fast-check';

export const jsonText = fc
  .tuple(fc.jsonValue(), fc.constantFrom('', ' ', '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent).replaceAll('\n', '\r'));

/** Each of these breaks or bends JSON when it is at a random place. */
const splinter = fc.constantFrom(
  ...['"', '\\', '{', '}', '[', ']', ',', ':', '0', '00', '1', '-', '+', '.', 'e', 'E5', 'e-', '\\u12', '\\u00e9'],
  ...[
    '\\ud800',
    '\\x',
    '\u0000',
    '\u001f',
    '\u007f',
    ' ',
    '\t',
    '\r',
    '\u00a0',
    'true',
    'nul',
    'null',
    '-0',
    '1.5',
    'é',
    '/*',
  ],
);

export const damagedText = fc.tuple(jsonText, splinter, fc.nat(), fc.nat(3)).map(([text, piece, place, removed]) => {
  const at = place % (text.length + 1);
  return text.slice(0, at) + piece + text.slice(at + removed);
});

export const splinterText = fc.array(splinter, { maxLength: 8 }).map((pieces) => pieces.join(''));

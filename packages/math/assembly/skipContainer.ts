// This AssemblyScript checks JSON fast in WebAssembly, 64 bytes at a time. It accepts nothing that
// is not JSON, but it may be uncertain: then scan.ts decides, and finds the words for what is
// wrong. Bit n of a mask stands for byte n of the block of 64.

const MAX_DEPTH = 64;

/**
 * Each container around the current place has one bit, the innermost the lowest: 1 is an object.
 */
let containers: u64 = 0;
let depth: i32 = 0;
/** It is 1 when the backslash at the end of a block escapes the first byte of the next. */
let isFirstEscaped: u64 = 0;
/** The last number or word begins at `lastScalar`; the last check ended at `checkedTo`. */
let lastScalar: usize = 0;
let checkedTo: usize = 0;
/** These bytes of the block are in the wrong kind of container. */
let misplaced: u64 = 0;
/** These backslashes of the block begin no escape. */
let wrongEscapes: u64 = 0;

/**
 * Returns the index after the array or object that begins at `start`; 0 when it is not certain to
 * be JSON. A line feed ends the text, and 64 bytes after it are readable. White space is certain
 * only as one space after a comma or colon, and nesting down to 64 levels.
 */
export function skipContainer(start: usize): usize {
  // These hold what the block before leaves to the first byte of the next one.
  let inStringBefore: u64 = 0;
  let openBefore: u64 = 0;
  let braceBefore: u64 = 0;
  let separatorBefore: u64 = 0;
  let spaceBefore: u64 = 1;
  let quoteBefore: u64 = 0;
  let closeBefore: u64 = 0;
  let scalarBefore: u64 = 0;
  let zeroBefore: u64 = 0;
  let braceCarry: u64 = 0;
  let commaCarry: u64 = 0;
  containers = 0;
  depth = 0;
  isFirstEscaped = 0;
  checkedTo = 0;
  wrongEscapes = 0;
  for (let at = start; depth >= 0; at += 64) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);

    const backslash = equal(a, b, c, d, 0x5c);
    let quote = equal(a, b, c, d, 0x22);
    if (backslash | isFirstEscaped) quote &= ~escapedBytes(at, backslash);
    // It has the bytes from each opening quote to the one before its closing one.
    const inString = toggled(quote) ^ inStringBefore;
    inStringBefore = u64(i64(inString) >> 63);
    const outside = ~(inString | quote);
    const closingQuote = quote & ~inString;

    const comma = equal(a, b, c, d, 0x2c) & outside;
    const colon = equal(a, b, c, d, 0x3a) & outside;
    const separator = comma | colon;
    // Bit 5 is what tells a brace from a bracket.
    const bit5 = i8x16.splat(0x20);
    const a5 = v128.or(a, bit5);
    const b5 = v128.or(b, bit5);
    const c5 = v128.or(c, bit5);
    const d5 = v128.or(d, bit5);
    const open = equal(a5, b5, c5, d5, 0x7b) & outside;
    const close = equal(a5, b5, c5, d5, 0x7d) & outside;
    const brace = mask(i16x8.shl(a, 2), i16x8.shl(b, 2), i16x8.shl(c, 2), i16x8.shl(d, 2));
    const digit = digits(a, b, c, d) & outside;
    const zero = equal(a, b, c, d, 0x30);
    const rest = outside & ~(separator | open | close | digit);
    const space = rest ? equal(a, b, c, d, 0x20) & rest : 0;
    // The rest is numbers, words, and what is not JSON.
    const scalar = (rest & ~space) | digit;

    const afterScalar = (scalar << 1) | scalarBefore;
    const firstOfScalar = scalar & ~afterScalar;
    const value = (quote & inString) | open | firstOfScalar;
    const afterQuote = (closingQuote << 1) | quoteBefore;
    const afterValue = afterQuote | (close << 1) | closeBefore | (afterScalar & ~scalar);
    const afterOpen = (open << 1) | openBefore;
    const afterSeparator = (separator << 1) | separatorBefore;
    const spaceAfter = afterSeparator & space;
    const beforeValue = (afterSeparator & ~space) | (spaceAfter << 1) | spaceBefore | afterOpen;
    const leadingZero = zero & firstOfScalar;

    // It is the separator or bracket that follows next: an addition carries through the bytes
    // between.
    const between = ~(separator | open | close);
    const openBrace = open & brace;
    const fromBrace = (openBrace << 1) | braceCarry;
    const toBrace = fromBrace + between;
    braceCarry = u64(toBrace < between) | (openBrace >> 63);
    const nextOfBrace = toBrace & ~between;
    const fromComma = (comma << 1) | commaCarry;
    const toComma = fromComma + between;
    commaCarry = u64(toComma < between) | (comma >> 63);
    const nextOfComma = toComma & ~between;

    const emptyContainer = afterOpen & close;
    const wrong =
      (((value ^ beforeValue) | (afterValue ^ (separator | close))) & ~emptyContainer) |
      (space & ~afterSeparator) |
      (colon & ~(afterQuote & (nextOfBrace | nextOfComma))) |
      (nextOfBrace & ~(colon | (close & ((openBrace << 1) | braceBefore)))) |
      (((leadingZero << 1) | zeroBefore) & digit) |
      (controls(a, b, c, d) & inString);
    const inside = walkBrackets(open, close, brace, colon, nextOfComma & ~colon);
    if ((wrong | misplaced | wrongEscapes) & inside) return 0;
    const odd = scalar & ~digit & inside;
    if (odd && !checkScalars(at, odd, firstOfScalar)) return 0;
    if (depth === 0) return at + usize(popcnt(inside));

    if (firstOfScalar) lastScalar = at + usize(63 - clz(firstOfScalar));
    openBefore = open >> 63;
    braceBefore = openBrace >> 63;
    separatorBefore = separator >> 63;
    spaceBefore = spaceAfter >> 63;
    quoteBefore = closingQuote >> 63;
    closeBefore = close >> 63;
    scalarBefore = scalar >> 63;
    zeroBefore = leadingZero >> 63;
  }
  return 0;
}

/** JavaScript moves bytes of shared memory one word after the other. */
export function move(to: usize, from: usize, bytes: usize): void {
  memory.copy(to, from, bytes);
}

/**
 * Follows the nesting through a block. Returns the bytes that belong to the outermost container.
 * `misplaced` gets what must not be in its kind of container.
 */
function walkBrackets(open: u64, close: u64, brace: u64, notInArray: u64, notInObject: u64): u64 {
  let todo: u64 = ~0;
  misplaced = 0;
  for (let brackets = open | close; brackets; brackets &= brackets - 1) {
    const bit = brackets & -brackets;
    const upTo = bit | (bit - 1);
    misplaced |= upTo & todo & (containers & 1 ? notInObject : notInArray);
    todo = ~upTo;
    const isBrace = u64((brace & bit) !== 0);
    if (open & bit) {
      containers = (containers << 1) | isBrace;
      depth += 1;
      if (depth > MAX_DEPTH) misplaced = ~0;
    } else {
      if ((containers & 1) !== isBrace) misplaced |= bit;
      containers >>= 1;
      depth -= 1;
      if (depth === 0) return upTo;
    }
  }
  misplaced |= todo & (containers & 1 ? notInObject : notInArray);
  return ~0;
}

/** Whether the numbers and words with a byte in `odd` are right: these are not digits only. */
function checkScalars(at: usize, odd: u64, firstOfScalar: u64): bool {
  for (; odd; odd &= odd - 1) {
    const bit = odd & -odd;
    const here = at + usize(ctz(odd));
    if (here < checkedTo) continue;
    const firsts = firstOfScalar & (bit | (bit - 1));
    checkedTo = scalarEnd(firsts ? at + usize(63 - clz(firsts)) : lastScalar);
    if (checkedTo <= here) return false;
    const next = load<u8>(checkedTo);
    if (next !== 0x2c && next !== 0x5d && next !== 0x7d) return false;
  }
  return true;
}

/** Returns the index after the number or word at `start`; 0 when there is none. */
function scalarEnd(start: usize): usize {
  const word = load<u32>(start);
  if (word === 0x65757274 || word === 0x6c6c756e) return start + 4; // true, null
  if (word === 0x736c6166 && load<u8>(start, 4) === 0x65) return start + 5; // false
  let at = start + usize(load<u8>(start) === 0x2d);
  at = load<u8>(at) === 0x30 ? at + 1 : digitsEnd(at);
  if (at && load<u8>(at) === 0x2e) at = digitsEnd(at + 1);
  if (at && (load<u8>(at) | 0x20) === 0x65) {
    const sign = load<u8>(at, 1);
    at = digitsEnd(at + (sign === 0x2b || sign === 0x2d ? 2 : 1));
  }
  return at;
}

/** Returns the index after the digits at `start`; 0 when there is none. */
function digitsEnd(start: usize): usize {
  let at = start;
  while (load<u8>(at) - 0x30 < 10) at += 1;
  return at === start ? 0 : at;
}

/** Returns the bytes that a backslash escapes. */
function escapedBytes(at: usize, backslashes: u64): u64 {
  let escaped = isFirstEscaped;
  let rest = backslashes & ~escaped;
  isFirstEscaped = 0;
  wrongEscapes = 0;
  while (rest) {
    const place = ctz(rest);
    escaped |= u64(2) << place;
    if (place === 63) isFirstEscaped = 1;
    if (!isEscape(at + usize(place) + 1)) wrongEscapes |= u64(1) << place;
    rest &= ~(u64(3) << place);
  }
  return escaped;
}

function isEscape(at: usize): bool {
  const byte = load<u8>(at);
  if (byte === 0x75) return isHexDigit(at + 1) && isHexDigit(at + 2) && isHexDigit(at + 3) && isHexDigit(at + 4);
  return (
    byte === 0x22 ||
    byte === 0x5c ||
    byte === 0x2f ||
    byte === 0x62 ||
    byte === 0x66 ||
    byte === 0x6e ||
    byte === 0x72 ||
    byte === 0x74
  );
}

function isHexDigit(at: usize): bool {
  const byte = load<u8>(at);
  return byte - 0x30 < 10 || (byte | 0x20) - 0x61 < 6;
}

/** Each bit is the parity of the bits up to it. */
function toggled(bits: u64): u64 {
  let x = bits ^ (bits << 1);
  x ^= x << 2;
  x ^= x << 4;
  x ^= x << 8;
  x ^= x << 16;
  return x ^ (x << 32);
}

function equal(a: v128, b: v128, c: v128, d: v128, byte: u8): u64 {
  const all = i8x16.splat(byte);
  return mask(i8x16.eq(a, all), i8x16.eq(b, all), i8x16.eq(c, all), i8x16.eq(d, all));
}

function digits(a: v128, b: v128, c: v128, d: v128): u64 {
  return mask(areDigits(a), areDigits(b), areDigits(c), areDigits(d));
}

function areDigits(bytes: v128): v128 {
  return i8x16.le_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(9));
}

function controls(a: v128, b: v128, c: v128, d: v128): u64 {
  const last = i8x16.splat(0x1f);
  return mask(i8x16.le_u(a, last), i8x16.le_u(b, last), i8x16.le_u(c, last), i8x16.le_u(d, last));
}

function mask(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = u64(i8x16.bitmask(a)) | (u64(i8x16.bitmask(b)) << 16);
  return low | (u64(i8x16.bitmask(c)) << 32) | (u64(i8x16.bitmask(d)) << 48);
}

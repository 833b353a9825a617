import { groupOf } from '../statistics/bookGroups.ts';
import { chiSquareTail, chiSquareTest } from '../statistics/chiSquare.ts';
import type { MathMode, Random64 } from '../types.ts';

/** Each sample that a test judges is a false alarm with 2^-64 at most: docs/compliance/rng.md. */
const FALSE_ALARM_BITS = 64;
const FALSE_ALARM = 2 ** -FALSE_ALARM_BITS;
/** A sample is a byte, and the generator claims full entropy for it. */
const BITS_PER_SAMPLE = 8;
const BYTES_PER_OUTPUT = 8;
const VALUES = 2 ** BITS_PER_SAMPLE;
/** This number of outputs of 64 bits is 64 KiB, four fillings of the buffer. */
const OUTPUTS = 8_192;
/** NIST SP 800-90B, 4.4.2, gives this window for samples of more than one bit. */
const WINDOW = 512;
const DRAWS = 65_536;
const GROUPS = 64;

/**
 * Returns the cutoff of NIST SP 800-90B, 4.4.1: the number of equal samples in succession that
 * fails.
 */
export function repetitionCutoff({ falseAlarmBits, entropy }: { falseAlarmBits: number; entropy: number }): number {
  return 1 + Math.ceil(falseAlarmBits / entropy);
}

/**
 * Returns the cutoff of NIST SP 800-90B, 4.4.2: 1 + critbinom(window, 2^−entropy, 1 −
 * 2^−falseAlarmBits). A window fails when this number of its samples equal its first one.
 */
export function proportionCutoff({ falseAlarmBits, entropy, window }: ProportionTest): number {
  const logProbability = -entropy * Math.LN2;
  const logOdds = logProbability - Math.log(-Math.expm1(logProbability));
  let logMass = window * logProbability;
  let tail = 0;
  for (let count = window; count > 0; count -= 1) {
    tail += Math.exp(logMass);
    if (tail > 2 ** -falseAlarmBits) return Math.min(count + 1, window);
    logMass += Math.log(count / (window - count + 1)) - logOdds;
  }
  return 1;
}

type ProportionTest = { falseAlarmBits: number; entropy: number; window: number };

const REPETITIONS = repetitionCutoff({ falseAlarmBits: FALSE_ALARM_BITS, entropy: BITS_PER_SAMPLE });
const PROPORTION = proportionCutoff({
  falseAlarmBits: FALSE_ALARM_BITS,
  entropy: BITS_PER_SAMPLE,
  window: WINDOW,
});

/** Says in one line what is wrong with raw output of the source; undefined when nothing is. */
export function checkRawOutput(random: Random64): string | undefined {
  const outputs = new BigUint64Array(OUTPUTS);
  const words = new Uint32Array(outputs.buffer);
  for (let at = 0; at < words.length; at += 2) random(words.subarray(at, at + 2));
  const bytes = new Uint8Array(outputs.buffer);
  return repetitionIssue(bytes) ?? proportionIssue(bytes) ?? duplicateIssue(outputs) ?? byteIssue(bytes);
}

function repetitionIssue(bytes: Uint8Array): string | undefined {
  let run = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    run = bytes[at] === bytes[at - 1] ? run + 1 : 1;
    if (run >= REPETITIONS) return `repetition count test: ${run} equal bytes in succession`;
  }
  return undefined;
}

function proportionIssue(bytes: Uint8Array): string | undefined {
  for (let start = 0; start < bytes.length; start += WINDOW) {
    let count = 0;
    for (let at = start; at < start + WINDOW; at += 1) if (bytes[at] === bytes[start]) count += 1;
    if (count >= PROPORTION) return `adaptive proportion test: ${count} equal bytes of ${WINDOW}`;
  }
  return undefined;
}

/**
 * Each of the eight bytes of an output is tested on its own, so a bit that leans to one side shows.
 */
function byteIssue(bytes: Uint8Array): string | undefined {
  const counts = new Uint32Array(BYTES_PER_OUTPUT * VALUES);
  for (let at = 0; at < bytes.length; at += 1) {
    const bin = (at % BYTES_PER_OUTPUT) * VALUES + (bytes[at] as number);
    counts[bin] = (counts[bin] as number) + 1;
  }
  const expected = OUTPUTS / VALUES;
  const statistic = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const p = chiSquareTail(statistic, BYTES_PER_OUTPUT * (VALUES - 1));
  return p < FALSE_ALARM ? `chi-square test of raw bytes: statistic ${statistic.toFixed(1)}` : undefined;
}

/** Without this test a source that repeats its outputs would look random. */
function duplicateIssue(outputs: BigUint64Array): string | undefined {
  const isRepeated = outputs
    .slice()
    .sort()
    .some((output, index, sorted) => output === sorted[index - 1]);
  return isRepeated ? `duplicate test: one of ${OUTPUTS} outputs of 64 bits came twice` : undefined;
}

/** Says in one line what is wrong with draws of the mode; undefined when nothing is. */
export function checkDraws(mode: MathMode, random: Random64): string | undefined {
  const groups = mode.groups(GROUPS);
  const counts = new Uint32Array(groups.length);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const group = groupOf(groups, mode.draw(random).position);
    counts[group] = (counts[group] as number) + 1;
  }
  const expected = groups.map(({ probability }) => probability * DRAWS);
  const { statistic, degrees, p } = chiSquareTest(counts, expected);
  if (p >= FALSE_ALARM) return undefined;
  return `chi-square test of draws: statistic ${statistic.toFixed(1)}, ${degrees} degrees of freedom`;
}

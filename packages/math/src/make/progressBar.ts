import type { SimulateOptions } from './simulate.ts';

const WIDTH = 30;
/** ECMA-48 calls it "erase in line": it erases from the cursor to the end. */
const ERASE_LINE = '\r\u001b[K';

/** The bar needs this part of `process.stdout`. */
type Output = { isTTY?: boolean; write(text: string): unknown };

/**
 * Makes an `onProgress` of `simulate` that draws a bar on a terminal, in one line that goes when
 * all rounds are played. It writes nothing where the output is not a terminal.
 */
export function progressBar(label: string, out: Output = process.stdout): NonNullable<SimulateOptions['onProgress']> {
  return ({ played, rounds }) => {
    if (!out.isTTY) return;
    const filled = Math.floor((WIDTH * played) / rounds);
    const bar = '█'.repeat(filled).padEnd(WIDTH, '░');
    out.write(played < rounds ? `\r${label} ${bar} ${Math.floor((100 * played) / rounds)} %` : ERASE_LINE);
  };
}

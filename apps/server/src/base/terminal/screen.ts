const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const CLEAR_ALL = '\x1b[2J';
/** A long line is cut off, and does not take a second line. */
const [NO_WRAP, WRAP] = ['\x1b[?7l', '\x1b[?7h'];

export type Screen = { show(text: string): void };

/** Shows texts one after the other: in one place on a terminal, one below the other elsewhere. */
export function createScreen(out: NodeJS.WriteStream): Screen {
  if (!out.isTTY) return { show: (text) => void out.write(`${text}\n\n`) };
  let isFirst = true;
  return {
    show(text) {
      const lines = text.split('\n');
      // A text that is longer than the terminal would scroll, and not be replaced.
      const room = Math.max(1, out.rows - 1);
      const shown = lines.length <= room ? lines : [...lines.slice(0, room - 1), '…'];
      const drawn = shown.map((line) => `${line}${CLEAR_LINE}\n`).join('');
      out.write(`${isFirst ? CLEAR_ALL : ''}${NO_WRAP}${HOME}${drawn}${CLEAR_BELOW}${WRAP}`);
      isFirst = false;
    },
  };
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ErrorPayload } from 'vite';

/** Vite's overlay shows these parts. */
export type PageError = Pick<ErrorPayload['err'], 'message' | 'stack' | 'frame' | 'loc'>;

/** line counts from 1, column from 0; file is absolute. */
type Place = { file: string; line: number; column: number };

/** esbuild reports so, and tsx prints it: `/game/math/rules.ts:10:17: ERROR: Unexpected "="`. */
const OF_COMPILER = /^(.+):(\d+):(\d+): ERROR: (.+)$/m;
/**
 * The form in which Node reports a script that it cannot parse: place, line, and carets below it.
 */
const OF_PARSER = /^(\S.*):(\d+)\r?\n.*\r?\n([ \t]*)\^/m;
const OF_STACK = /^ +at (?:.*\()?(.+):(\d+):(\d+)\)?$/gm;
/** It matches `TypeError: x is not a function` and the lines below that are not its stack. */
const MESSAGE = /^\w*Error(?: \[\w+\])?: (?:.*(?:\r?\n(?! +at |\r?\n|$).*)*)/m;
const LINES_AROUND = 2;

/**
 * Returns an error of the script as the overlay shows it: its message, and the place in the
 * project's own files with the lines around it. The calls of Node and of packages are left out,
 * because they hide both. When nothing is found, the message is all that was printed.
 */
export function scriptError(printed: string, { root, script }: { root: string; script: string }): PageError {
  const [, , , , syntax] = OF_COMPILER.exec(printed) ?? [];
  const [text] = MESSAGE.exec(printed) ?? [];
  const message = syntax === undefined ? text : `SyntaxError: ${syntax}`;
  const place = placesIn(printed).find(({ file }) => isOwn(file, root));
  if (message === undefined || place === undefined) return { message: `${script} failed.\n${printed}`, stack: '' };
  const frame = frameOf(place);
  return {
    message: `${script} failed.\n${message}`,
    stack: ownCalls(printed, root),
    // The column counts from 1 as in the stack: the overlay prints it and an editor opens it.
    loc: { ...place, column: place.column + 1 },
    ...(frame !== undefined && { frame }),
  };
}

/** The most precise place comes first. */
function placesIn(printed: string): Place[] {
  const ofCompiler = OF_COMPILER.exec(printed);
  const ofParser = OF_PARSER.exec(printed);
  const calls = [...printed.matchAll(OF_STACK)];
  return [
    ...(ofCompiler ? [placeOf(ofCompiler[1], ofCompiler[2], Number(ofCompiler[3]))] : []),
    ...calls.map(([, file, line, column]) => placeOf(file, line, Number(column) - 1)),
    ...(ofParser ? [placeOf(ofParser[1], ofParser[2], ofParser[3]?.length ?? 0)] : []),
  ];
}

function placeOf(file = '', line = '', column: number): Place {
  return { file: pathOf(file), line: Number(line), column };
}

function pathOf(file: string): string {
  return file.startsWith('file:') && URL.canParse(file) ? fileURLToPath(file) : file;
}

/** A file of Node or of a package is not the game's own. */
function isOwn(file: string, root: string): boolean {
  const below = path.relative(root, file);
  const isInside = path.isAbsolute(file) && !below.startsWith('..') && !path.isAbsolute(below);
  return isInside && !below.split(path.sep).includes('node_modules');
}

function ownCalls(printed: string, root: string): string {
  return [...printed.matchAll(OF_STACK)]
    .filter(([, file = '']) => isOwn(pathOf(file), root))
    .map(([line]) => line.replace(/file:\/\/[^)]*?(?=:\d+:\d+)/, pathOf))
    .join('\n');
}

/** Shows the line, two above and below, and a caret; undefined when the file is unreadable. */
function frameOf({ file, line, column }: Place): string | undefined {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return undefined;
  }
  const first = Math.max(1, line - LINES_AROUND);
  const shown = lines.slice(first - 1, line + LINES_AROUND);
  const width = String(first + shown.length - 1).length;
  return shown
    .flatMap((text, index) => {
      const numbered = `${String(first + index).padStart(width)}  |  ${text}`;
      if (first + index !== line) return [numbered];
      // Tabs stay tabs, so that the caret is below its character.
      return [numbered, `${' '.repeat(width)}  |  ${text.slice(0, column).replace(/[^\t]/g, ' ')}^`];
    })
    .join('\n');
}

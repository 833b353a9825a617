import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DOCUMENTS, ROOT, textOf } from './documents.ts';

/** Returns a document without its blocks of code. */
const proseOf = (document: string) => textOf(document).replace(/^```[\s\S]*?^```/gm, '');

it('links name pages, not files', () => {
  const files = DOCUMENTS.flatMap((document) => {
    const links = [...proseOf(document).matchAll(/\[([^\]]+)\]\((?!https?:)([^)\s#]+\.md)(?:#[^)]*)?\)/g)];
    return links.flatMap(([link, text = '', target = '']) => {
      const [, title = ''] = /^# (.*)$/m.exec(textOf(path.join(path.dirname(document), target))) ?? [];
      const name = text.replaceAll('`', '');
      const isPath = /^[\w.-]+(\/[\w.-]+)+$|\.md$/.test(name);
      const isFile = isPath || path.basename(name) === path.basename(target, '.md');
      return isFile && name !== title ? [`${document}: ${link}`] : [];
    });
  });
  expect(files).toEqual([]);
});

/**
 * Another spelling is right here. The README of a new game is not a document of ours: the command
 * of its project is `npx roundhouse`.
 */
const OTHER_SPELLINGS = [
  'docs/command.md: bin/roundhouse',
  'docs/command.md: bin/roundhouse.js',
  'docs/deployment.md: bin/roundhouse',
];

it('the command has one spelling, and one page says how to have it', () => {
  const found = DOCUMENTS.flatMap((document) => {
    const uses = textOf(document).matchAll(
      /(?:npx|npm exec|pnpm (?:exec|dlx)|yarn|bunx)(?: -[\w-]+)* (?:-- )?roundhouse\b|bin\/roundhouse(?:\.js)?/g,
    );
    return [...uses].map(([use]) => `${document}: ${use.trim()}`);
  });
  expect([...new Set(found)].sort()).toEqual(OTHER_SPELLINGS);
});

it('tabs are in comments, so that a forge shows the blocks one after the other', () => {
  const bare = DOCUMENTS.flatMap((document) => [...textOf(document).matchAll(/^:::.*$/gm)].map(() => document));
  expect(bare).toEqual([]);
  for (const document of DOCUMENTS) {
    const marks = [...textOf(document).matchAll(/^<!-- (:::.*) -->$/gm)].map(([, mark]) => mark);
    const isPaired = marks.every((mark, place) => mark === (place % 2 === 0 ? '::: code-group' : ':::'));
    expect({ document, isPaired: isPaired && marks.length % 2 === 0 }).toEqual({ document, isPaired: true });
  }
});

/** Words of a translation. "There is none" is English. */
const TRANSLATED =
  /\b(?:so (?:many|long|often)|of (?:its|their) own|(?<!there )is none|ha(?:s|ve) not got|the own|of before)\b/gi;

/** Returns the words with the name of their file. A line may end between two words. */
const findTranslated = (file: string, text: string) =>
  [...text.replace(/\s+/g, ' ').matchAll(TRANSLATED)].map(([words]) => `${file}: ${words.toLowerCase()}`);

it('documents are written, not translated', () => {
  expect(DOCUMENTS.flatMap((document) => findTranslated(document, proseOf(document)))).toEqual([]);
});

/** Returns the comments that begin a line. */
const commentsOf = (source: string) =>
  [...source.matchAll(/^[ \t]*\{?(?:\/\*[\s\S]*?\*\/|(?:\/\/|-- ).*)/gm)].map(([comment]) => comment);

const withoutMarks = (comment: string) => comment.replace(/^[ \t]*\{?(?:\/\*\*?|\*\/|\*|\/\/|--)/gm, ' ');

/** Lists the files that git knows or may add, by path from the root. */
function listFiles(...paths: string[]): string[] {
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...paths], options).split('\n');
  return files.filter((file) => file !== '' && existsSync(path.join(ROOT, file)));
}

/** Lists the files with our comments. */
function sourcesWithComments(): string[] {
  const sources = listFiles().filter((file) => /\.(?:[cm]?[jt]sx?|css|sql|sh)$/.test(file));
  expect(sources.length).toBeGreaterThan(0);
  return sources;
}

it('comments are written, not translated', () => {
  const textsOf = (file: string) => commentsOf(textOf(file)).map(withoutMarks).join('\n');
  expect(sourcesWithComments().flatMap((file) => findTranslated(file, textsOf(file)))).toEqual([]);
});

const COLUMNS = 100;

it(`comments have at most ${COLUMNS} columns`, () => {
  const wideIn = (file: string) => {
    const trailing = file.endsWith('.sql') ? /^.*\S +-- .*$/gm : /^.*\S +\/\/ .*$/gm;
    const comments = [...commentsOf(textOf(file)), ...(textOf(file).match(trailing) ?? [])];
    const wide = comments.flatMap((comment) => comment.split('\n')).filter((line) => line.length > COLUMNS);
    return wide.map((line) => `${file}: ${line.trim()}`);
  };
  expect(sourcesWithComments().flatMap(wideIn)).toEqual([]);
});

const DOCUMENT_COLUMNS = 150;

/** Made of one line for each requirement: these pages are read on the site. */
const OF_ROWS = /^docs\/compliance\/(?:agco|gli-19|ukgc-rts)\.md$/;

it(`documents have at most ${DOCUMENT_COLUMNS} columns, but a URL cannot break`, () => {
  const wide = listFiles('*.md').flatMap((file) => {
    const lines = OF_ROWS.test(file) ? [] : textOf(file).split('\n');
    return lines
      .filter((line) => line.replace(/https?:\S+/g, '').length > DOCUMENT_COLUMNS)
      .map((line) => `${file}: ${line}`);
  });
  expect(wide).toEqual([]);
});

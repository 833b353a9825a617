import { readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  booksText,
  bookTexts,
  indexText,
  type RawMath,
  temporaryFolder,
  writeRawMath,
  zstd,
} from '../../test/support/folders.ts';
import { openMath } from './openMath.ts';

/** Returns all issues of a package as text, and checks that nothing of it stayed in the store. */
async function issuesOf(raw: RawMath): Promise<string[]> {
  const storeFolder = await temporaryFolder();
  const outcome = await openMath({ folder: await writeRawMath(raw), storeFolder });
  expect(outcome.ok).toBe(false);
  expect(await readdir(storeFolder)).toEqual([]);
  if (outcome.ok) return [];
  expect(outcome.issueCount).toBeGreaterThanOrEqual(outcome.issues.length);
  return outcome.issues.map(({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`}: ${message}`);
}

describe('openMath reports', () => {
  const modes = (...list: unknown[]): string => JSON.stringify({ modes: list });
  const mode = (changes: object): object => ({
    name: 'a',
    cost: 1,
    events: 'books.jsonl.zst',
    weights: 'table.csv',
    ...changes,
  });

  it.each([
    ['{"modes": [', 'is not JSON'],
    ['', 'is not JSON'],
    ['[]', 'has the wrong shape: expected a JSON object'],
    ['{}', 'has no "modes"'],
    ['{"modes":{}}', 'has the wrong shape: expected an array'],
    ['{"modes":[]}', 'has no mode in "modes"'],
    ['{"modes":[3]}', 'has the wrong shape: expected a JSON object'],
    [modes({}), 'mode 1: "name" must be'],
    [modes(mode({ name: '' })), 'mode 1 (""): "name" must be'],
    [modes(mode({ name: 'x'.repeat(65) })), '"name" must be'],
    [modes(mode({ name: '../a' })), '"name" must be'],
    [modes(mode({ name: 'bonus' }), mode({ name: 'BONUS' })), 'mode 2 ("BONUS"): has the same name as mode 1'],
    [modes(mode({ cost: 0 })), 'mode 1 ("a"): "cost" must be a number above zero, in base bets: 0'],
    [modes(mode({ cost: -1 })), '"cost" must be'],
    [modes(mode({ cost: '1' })), '"cost" must be'],
    [modes(mode({ cost: null })), '"cost" must be'],
    ['{"modes":[{"name":"a","cost":1e400,"events":"books.jsonl.zst","weights":"table.csv"}]}', '"cost" must be'],
    ['{"modes":[{"name":"a","cost":1,"cost":2,"events":"b","weights":"t"}]}', '"cost" comes twice'],
    [modes(mode({ events: '../books.jsonl.zst' })), '"events" must be the name of a file in the folder'],
    [modes(mode({ weights: '/etc/passwd' })), '"weights" must be'],
    [modes(mode({ weights: 'C:\\table.csv' })), '"weights" must be'],
    [modes(mode({ weights: 5 })), '"weights" must be'],
  ])('index.json that is wrong: %s', async (index, message) => {
    const [first] = await issuesOf({ index });
    expect(first).toMatch(/^index\.json: /);
    expect(first).toContain(message);
  });

  it('files that are missing or no files, each of them', async () => {
    const index = modes(
      mode({ weights: 'none.csv' }),
      mode({ name: 'b', events: 'none.zst' }),
      mode({ name: 'c', events: '.' }),
    );
    expect(await issuesOf({ index })).toEqual([
      'index.json: mode 3 ("c"): "events" must be the name of a file in the folder',
      'none.csv: no such file',
      'none.zst: no such file',
    ]);
  });

  it('a missing folder, a file instead of one, and a folder without index.json', async () => {
    const folder = await temporaryFolder();
    const storeFolder = await temporaryFolder();
    const issue = async (path: string) => {
      const outcome = await openMath({ folder: path, storeFolder });
      return outcome.ok ? undefined : outcome.issues;
    };
    expect(await issue(join(folder, 'none'))).toEqual([{ file: join(folder, 'none'), message: 'no such folder' }]);
    await writeFile(join(folder, 'file'), '');
    expect(await issue(join(folder, 'file'))).toEqual([{ file: join(folder, 'file'), message: 'no such folder' }]);
    expect(await issue(folder)).toEqual([{ file: 'index.json', message: 'no such file' }]);
  });

  it('a store folder that cannot be one', async () => {
    const folder = await writeRawMath();
    const storeFolder = join(folder, 'table.csv');
    expect(await openMath({ folder, storeFolder })).toMatchObject({ ok: false, issues: [{ file: storeFolder }] });
  });

  it.each([
    ['', ['table.csv: is empty']],
    ['0,0,0\n1,0,150\n2,0,20\n', ['table.csv: has no weight above zero']],
    ['0,1,0\n\n1,2,150\n2,1,20\n', ['table.csv:2: is blank']],
    ['0,1,0\n1,-2,150\n2,1,20\n', ['table.csv:2: is not a row']],
    [
      '0,1,0\n1,2,150,9\n2,1\n',
      ['table.csv:2: is not a row "id,weight,payoutMultiplier×100" of integers: 1,2,150,9 (also line 3)'],
    ],
    ['0,1,0\n1,18446744073709551616,150\n2,1,20\n', ['table.csv:2: weight 18446744073709551616 is above 2^64−1']],
    ['0,18446744073709551615,0\n1,2,150\n2,1,20\n', ['table.csv:2: takes the sum of the weights above 2^64−1']],
    [
      '0,1,0\n1,2,18446744073709551616\n2,1,20\n',
      ['table.csv:2: payout 18446744073709551616 is above 2^64−1', 'books.jsonl.zst:2: has payoutMultiplier 150'],
    ],
    ['0,1,0\n9007199254740992,2,150\n2,1,20\n', ['table.csv:2: id 9007199254740992 is above 9007199254740991']],
    [
      '0,1,0\n1,2,150\n1,1,20\n',
      [
        'table.csv:3: id 1 is already on line 2',
        'books.jsonl.zst:3: is the book with id 2, but line 3 of table.csv has id 1',
      ],
    ],
    [
      '1,2,150\n0,1,0\n2,1,20\n',
      ['books.jsonl.zst:1: is the book with id 0, but line 1 of table.csv has id 1 (also line 2)'],
    ],
    ['0,1,0\n1,2,151\n2,1,20\n', ['books.jsonl.zst:2: has payoutMultiplier 150, but line 2 of table.csv has 151']],
    ['0,1,0\n1,2,150\n', ['books.jsonl.zst: has 3 books, but table.csv has 2 rows']],
    ['0,1,0\n1,2,150\n2,1,20\n3,1,0\n', ['books.jsonl.zst: has 3 books, but table.csv has 4 rows']],
  ])('a table that is wrong: %j', async (table, messages) => {
    const issues = await issuesOf({ table });
    for (const [index, message] of messages.entries()) expect(issues[index]).toContain(message);
    if (table !== '') expect(issues).toHaveLength(messages.length);
  });

  const withBook = (text: string): string => `${bookTexts[0]}\n${text}\n${bookTexts[2]}\n`;
  it.each([
    ['', 'is blank'],
    ['{"id":1,"payoutMultiplier":150,"events":[1]', 'expected a comma or }, found the end, at byte 44 of the line'],
    ['{"id":1,"payoutMultiplier":150,"events":[1]} {}', 'expected the end of the line, found {'],
    ['[1]', 'expected a JSON object'],
    ['null', 'expected a JSON object'],
    ['{"payoutMultiplier":150,"events":[1]}', 'has no "id"'],
    ['{"id":1,"events":[1]}', 'has no "payoutMultiplier"'],
    ['{"id":1,"payoutMultiplier":150}', 'has no "events"'],
    ['{"id":1,"payoutMultiplier":150,"events":[ ]}', '"events" is empty'],
    ['{"id":1,"payoutMultiplier":150,"events":{"a":1}}', '"events" is not an array: {"a":1}'],
    ['{"id":"1","payoutMultiplier":150,"events":[1]}', '"id" is not an integer of 0 or above: "1"'],
    ['{"id":-1,"payoutMultiplier":150,"events":[1]}', '"id" is not an integer'],
    ['{"id":9007199254740993,"payoutMultiplier":150,"events":[1]}', '"id" is 9007199254740993, which is above'],
    ['{"id":1,"payoutMultiplier":150.0,"events":[1]}', '"payoutMultiplier" is 150.0, which looks like a multiple'],
    ['{"id":1,"payoutMultiplier":1.5e2,"events":[1]}', '"payoutMultiplier" is not an integer'],
    ['{"id":1,"payoutMultiplier":18446744073709551616,"events":[1]}', 'which is above 2^64−1'],
    ['{"id":1,"id":1,"payoutMultiplier":150,"events":[1]}', '"id" comes twice'],
    ['{"id":1,"payoutMultiplier":150,"events":[1],"events":[1]}', '"events" comes twice'],
    ['{"id":1,"payoutMultiplier":150,"events":[NaN]}', 'expected a value, found N'],
    ['{"id":1,"payoutMultiplier":150,"events":[01]}', 'expected a comma or ], found 1'],
  ])('a book that is wrong: %s', async (text, message) => {
    const [first] = await issuesOf({ books: withBook(text) });
    expect(first).toMatch(/^books\.jsonl\.zst:2: /);
    expect(first).toContain(message);
  });

  it('a payout that differs only beyond the precision of a number', async () => {
    const table = '0,1,0\n1,2,9007199254740993\n2,1,20\n';
    const books = withBook('{"id":1,"payoutMultiplier":9007199254740992,"events":[1]}');
    expect(await issuesOf({ table, books })).toEqual([
      'books.jsonl.zst:2: has payoutMultiplier 9007199254740992, but line 2 of table.csv has 9007199254740993',
    ]);
  });

  it('books that are not UTF-8', async () => {
    const books = Buffer.from(withBook('{"id":1,"payoutMultiplier":150,"events":["?"]}'));
    books[books.indexOf('?')] = 0xff;
    expect(await issuesOf({ books })).toEqual(['books.jsonl.zst:2: is not UTF-8']);
  });

  it('a book file that is empty, cut off, not zstd, or without books', async () => {
    expect(await issuesOf({ booksFile: Buffer.alloc(0) })).toEqual(['books.jsonl.zst: is empty']);
    expect(await issuesOf({ booksFile: zstd(booksText).subarray(0, 40) })).toEqual([
      'books.jsonl.zst: is cut off: it ends inside a zstd frame',
    ]);
    expect(await issuesOf({ booksFile: Buffer.from('id: 0\n') })).toEqual(['books.jsonl.zst: is not a zstd file']);
    expect(await issuesOf({ books: '' })).toEqual(['books.jsonl.zst: has no books']);
  });

  it('a line of more than 64 MB, without keeping it', async () => {
    const books = Buffer.concat([Buffer.from(`${bookTexts[0]}\n{"id":1,"x":"`), Buffer.alloc(2 ** 26, 0x61)]);
    expect(await issuesOf({ books })).toEqual(['books.jsonl.zst:2: is longer than 64 MB, so it is no book']);
  });

  it('an issue of many lines once, with the first of them', async () => {
    expect(await issuesOf({ books: '{"id":0}\n'.repeat(1000) })).toEqual([
      'books.jsonl.zst:1: has no "payoutMultiplier" (also lines 2, 3, 4, 5 and 995 more)',
      'books.jsonl.zst: has 1000 books, but table.csv has 3 rows',
    ]);
  });

  it.each(['index.json', 'table.csv', 'books.jsonl.zst'])('%s when a symbolic link leads to it', async (name) => {
    const folder = await writeRawMath();
    const elsewhere = join(await temporaryFolder(), 'secret');
    await rename(join(folder, name), elsewhere);
    await symlink(elsewhere, join(folder, name));
    const outcome = await openMath({ folder, storeFolder: await temporaryFolder() });
    const issues = [{ file: name, message: 'is a symbolic link; put the file itself here' }];
    expect(outcome).toEqual({ ok: false, issues, issueCount: 1 });
  });
});

const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 48211937\n';
const LFS_ISSUE = 'is a Git LFS pointer and not the file itself: run `git lfs pull`';
const HEADER = 'id,probabilityWeight,payoutMultiplier\r\n0,1,0\r\n1,2,150\r\n2,1,20\r\n';
const pretty = (texts: readonly string[]): string =>
  texts.map((text) => JSON.stringify(JSON.parse(text), null, 2)).join('\n');

/** Each file is wrong as a whole. The other file of the mode is right, and has no issue. */
describe('one issue names the cause and what to do', () => {
  it.each<[RawMath, string]>([
    [{ index: LFS }, `index.json: ${LFS_ISSUE}`],
    [{ table: LFS }, `table.csv: ${LFS_ISSUE}`],
    [{ booksFile: Buffer.from(LFS) }, `books.jsonl.zst: ${LFS_ISSUE}`],
    [{ table: HEADER }, 'table.csv: begins with a header: a table has none; delete line 1'],
    [{ table: '0\n150\n20\n' }, 'table.csv: has 1 column: a table has three, id,weight,payoutMultiplier×100'],
    [{ table: '0,1,0,x\n'.replace('x', '9') }, 'table.csv: has 4 columns: a table has three, id,weight,'],
    [{ table: '0, 1, 0\n1, 2, 150\n2, 1, 20\n' }, 'table.csv:1: has spaces around its commas: write 0,1,0'],
    [{ table: '0;1;0\n1;2;150\n2;1;20\n' }, 'table.csv:1: has other separators than commas: write 0,1,0'],
    [{ table: '"0","1","0"\n' }, 'table.csv:1: has quotes around its numbers: write 0,1,0'],
    [
      { table: '0,1,0\n1,2,1.50\n2,1,0.20\n' },
      'table.csv:2: 1.50 looks like a multiple: the table wants hundredths, 150 for 1.50×',
    ],
    [
      { table: '0,1,0.00\n1,2,1.50\n2,1,0.20\n' },
      'table.csv:1: 0.00 looks like a multiple: the table wants hundredths, 550 for 5.50×',
    ],
    [{ table: '0,1,0\n1,2.5,150\n' }, 'table.csv:2: weight 2.5 is a decimal: weights are whole numbers'],
    [{ table: gzipSync('0,1,0\n') }, 'table.csv: is compressed with gzip: unpack it'],
    [{ table: Buffer.from('\uFEFF0,1,0\n', 'utf16le') }, 'table.csv: is UTF-16: save it as UTF-8'],
    [
      { booksFile: Buffer.from(booksText) },
      'books.jsonl.zst: is JSON that is not compressed: rename it to books.jsonl, and run `zstd books.jsonl`',
    ],
    [
      { booksFile: gzipSync(booksText) },
      'books.jsonl.zst: is compressed with gzip: unpack it, and compress it with zstd',
    ],
    [
      { booksFile: Buffer.from(`[\n  ${bookTexts.join(',\n  ')}]`) },
      'books.jsonl.zst: is one JSON array that is not compressed: the math tool ran without compression.',
    ],
    [{ books: `[${bookTexts.join()}]` }, 'books.jsonl.zst: is one JSON array: a book file has one book on each line'],
    [{ books: pretty(bookTexts) }, 'books.jsonl.zst: is pretty-printed: a book file has each book on one line'],
    [
      { books: booksText.replace('150', '1.5').replace('20', '0.2') },
      'books.jsonl.zst:2: "payoutMultiplier" is 1.5, which looks like a multiple: a book has hundredths, 150 for 1.5× (also line 3)',
    ],
  ])('%j', async (raw, message) => {
    const [first, ...others] = await issuesOf(raw);
    expect(first).toContain(message);
    expect(others).toEqual([]);
  });

  it('books under a name without .zst', async () => {
    const folder = await writeRawMath({ index: indexText.replace('.jsonl.zst', '.jsonl') });
    await writeFile(join(folder, 'books.jsonl'), booksText);
    const outcome = await openMath({ folder, storeFolder: await temporaryFolder() });
    const message = 'is JSON that is not compressed: run `zstd books.jsonl`, and name books.jsonl.zst in index.json';
    expect(outcome).toMatchObject({ ok: false, issues: [{ file: 'books.jsonl', message }], issueCount: 1 });
  });
});

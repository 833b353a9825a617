import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/folders.ts';
import { BookHasher } from './bookHasher.ts';

const BOOKS = ['[1]', '["a longer one"]', '[{}]'];
const OFFSETS = [0, 3, 19, 23];

async function eventsFile(): Promise<string> {
  const path = join(await temporaryFolder(), 'events');
  await writeFile(path, BOOKS.join(''));
  return path;
}

it('hashes each book of a file, a few at a time', async () => {
  const hasher = new BookHasher(await eventsFile(), BOOKS.length);
  hasher.add(Float64Array.from(OFFSETS.slice(0, 3)));
  hasher.add(Float64Array.from(OFFSETS.slice(2)));
  const expected = BOOKS.map((book) => createHash('sha256').update(book).digest());
  expect(await hasher.finish()).toEqual(Buffer.concat(expected));
  await hasher.stop();
});

it.each([
  ['ends early', async () => ({ path: await eventsFile(), offsets: [0, 24] })],
  ['is missing', async () => ({ path: join(await temporaryFolder(), 'events'), offsets: [0, 3] })],
])('has nothing when the file %s', async (_, make) => {
  const { path, offsets } = await make();
  const hasher = new BookHasher(path, 1);
  hasher.add(Float64Array.from(offsets));
  expect(await hasher.finish()).toBeUndefined();
  await hasher.stop();
});

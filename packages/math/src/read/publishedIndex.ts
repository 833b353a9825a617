import { isUtf8 } from 'node:buffer';
import { stat } from 'node:fs/promises';
import { decimalText, parsePositiveDecimal } from '../decimal.ts';
import type { PublishedFile } from '../types.ts';
import { notText } from './fileContent.ts';
import { type IssueList, issueOf, UnreadableFile } from './issues.ts';
import { elementSlices, memberReader, type Slice } from './json/members.ts';
import { JsonSyntaxError, skipSpace } from './json/scan.ts';
import { type FileIdentity, SourceFile } from './sourceFile.ts';

/**
 * This is a mode as index.json describes it. `cost` is exact decimal text; `table` and `books` are
 * paths below the folder.
 */
export type IndexedMode = { name: string; key: string; cost: string; table: string; books: string };

export type PublishedIndex = { file: PublishedFile; identity: FileIdentity; modes: IndexedMode[] };

export const INDEX_NAME = 'index.json';
const MAX_INDEX_BYTES = 2 ** 20;
const MODE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/**
 * Reads and checks index.json. What is wrong with it goes to `issues`; UnreadableFile and I/O
 * errors are thrown.
 */
export async function readPublishedIndex(folder: string, issues: IssueList): Promise<PublishedIndex> {
  const source = await openIndex(folder);
  try {
    if (source.identity.bytes > MAX_INDEX_BYTES) unreadable('is larger than 1 MB');
    const chunks: Buffer[] = [];
    for await (const chunk of source.chunks()) chunks.push(chunk);
    const text = Buffer.concat(chunks);
    return { file: await source.finish(), identity: source.identity, modes: readModes(jsonText(text), issues) };
  } finally {
    await source.close();
  }
}

async function openIndex(folder: string): Promise<SourceFile> {
  try {
    return await SourceFile.open(folder, INDEX_NAME);
  } catch (error) {
    const isFolderThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolderThere) throw new UnreadableFile({ file: folder, message: 'no such folder' });
    throw new UnreadableFile(issueOf(error, INDEX_NAME) ?? { file: INDEX_NAME, message: String(error) });
  }
}

/** Returns the text in the form that the scanner wants: one line that ends in a line feed. */
function jsonText(bytes: Buffer): Buffer {
  const binary = notText(bytes);
  if (binary !== undefined) unreadable(binary);
  if (!isUtf8(bytes)) unreadable('is not UTF-8');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  try {
    JSON.parse(text);
  } catch (error) {
    unreadable(`is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return Buffer.from(`${text.replaceAll('\n', ' ')}\n`);
}

function readModes(text: Buffer, issues: IssueList): IndexedMode[] {
  try {
    const [list] = memberReader(['modes'])(text, 0, text.length - 1) as [Slice];
    if (list.start === -1) unreadable('has no "modes"');
    const elements = elementSlices(text, skipSpace(text, list.start));
    if (elements.length === 0) unreadable('has no mode in "modes"');
    const readMember = memberReader(['name', 'cost', 'events', 'weights']);
    const seen = new Map<string, number>();
    return elements.flatMap(({ start, end }, position) => {
      // The scanner wants a line feed after the object.
      const line = Buffer.concat([text.subarray(start, end), Buffer.from('\n')]);
      return readMode({ line, members: readMember(line, 0, line.length - 1), position, seen, issues }) ?? [];
    });
  } catch (error) {
    if (error instanceof JsonSyntaxError) unreadable(`has the wrong shape: ${error.message}`);
    throw error;
  }
}

type ModeInput = {
  line: Buffer;
  members: readonly Slice[];
  position: number;
  seen: Map<string, number>;
  issues: IssueList;
};

function readMode({ line, members, position, seen, issues }: ModeInput): IndexedMode | undefined {
  const [nameText, costText = '', books, table] = members.map((slice) => line.toString('utf8', slice.start, slice.end));
  const name = stringIn(nameText);
  const label = `mode ${position + 1}${name === undefined ? '' : ` ("${name}")`}`;
  const before = issues.count;
  const report = (message: string): void => issues.add({ file: INDEX_NAME, message: `${label}: ${message}` });

  if (name === undefined || !MODE_NAME.test(name)) {
    report('"name" must be 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit');
  }
  const key = (name ?? '').toUpperCase();
  const twin = seen.get(key);
  if (name !== undefined && twin !== undefined) report(`has the same name as mode ${twin + 1} (case does not count)`);
  seen.set(key, twin ?? position);
  const cost = parsePositiveDecimal(costText);
  if (cost === undefined)
    report(`"cost" must be a number above zero, in base bets${costText === '' ? '' : `: ${costText}`}`);
  const paths = { events: stringIn(books), weights: stringIn(table) };
  for (const [member, path] of Object.entries(paths)) {
    if (path === undefined || !isInside(path)) report(`"${member}" must be the name of a file in the folder`);
  }
  if (issues.count > before || cost === undefined) return undefined;
  return { name: name ?? '', key, cost: decimalText(cost), table: paths.weights ?? '', books: paths.events ?? '' };
}

function stringIn(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith('"')) return undefined;
  return JSON.parse(text) as string;
}

/** On any system, these lead out of the folder: "/", "\", a drive letter, ".." or a NUL byte. */
function isInside(path: string): boolean {
  return !/[\\:\0]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function unreadable(message: string): never {
  throw new UnreadableFile({ file: INDEX_NAME, message });
}

import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hasDocument, readSource, Unusable } from './source.ts';

const DOCUMENT = { format: 'roundhouse-fair-1', clientSeeds: [{ from: 0, clientSeed: 'žluťoučký 🎲 ?>' }] };
const JSON_TEXT = JSON.stringify(DOCUMENT);
const plain = `#j=${Buffer.from(JSON_TEXT).toString('base64url')}`;
const deflated = `#d=${deflateRawSync(JSON_TEXT).toString('base64url')}`;

describe('readSource', () => {
  it.each([
    ['pasted text', { kind: 'text', text: `\n ${JSON_TEXT} ` }],
    ['a file', { kind: 'file', file: new Blob([JSON_TEXT]) }],
    ['a file with a mark of its encoding', { kind: 'file', file: new Blob([`\ufeff${JSON_TEXT}`]) }],
    ['a link', { kind: 'link', hash: plain }],
    ['a deflated link', { kind: 'link', hash: deflated }],
  ] as const)('reads %s', async (_what, source) => {
    expect(await readSource(source)).toEqual(DOCUMENT);
  });

  it.each([
    ['nothing', { kind: 'text', text: ' \n' }, /empty/],
    ['half a document', { kind: 'text', text: JSON_TEXT.slice(0, -1) }, /not JSON/],
    ['a picture', { kind: 'file', file: new Blob([Uint8Array.of(0x89, 0x50, 0xff, 0)]) }, /not text/],
    ['a link with other letters', { kind: 'link', hash: '#j=ß' }, /incomplete/],
    ['a link that was cut', { kind: 'link', hash: deflated.slice(0, -6) }, /incomplete/],
    ['a link whose bytes were not deflated', { kind: 'link', hash: plain.replace('j', 'd') }, /incomplete/],
  ] as const)('says what is wrong with %s', async (_what, source, message) => {
    const reading = readSource(source);
    await expect(reading).rejects.toThrow(Unusable);
    await expect(reading).rejects.toThrow(message);
  });

  it('stops inflating when there is too much', async () => {
    const bomb = deflateRawSync(Buffer.alloc(300 * 2 ** 20), { level: 9 }).toString('base64url');
    expect(bomb.length).toBeLessThan(500_000);
    await expect(readSource({ kind: 'link', hash: `#d=${bomb}` })).rejects.toThrow(/256 MB/);
  });
});

describe('hasDocument', () => {
  it.each([
    [plain, true],
    [deflated, true],
    ['', false],
    ['#x=e30', false],
  ])('%s: %s', (hash, expected) => {
    expect(hasDocument(hash)).toBe(expected);
  });
});

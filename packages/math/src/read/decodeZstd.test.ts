import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { zstd } from '../../test/support/folders.ts';
import { DECODED_BYTES, decodeZstd, FREE_BYTES } from './decodeZstd.ts';
import { UnreadableFile } from './issues.ts';

/** It is "hello hello hello hello\n" in one frame with a checksum, as `zstd --check` writes it. */
const checkedFrame = Buffer.from('28b52ffd04586d00003868656c6c6f200a0100994b11a87c2ea8', 'hex');
const hello = 'hello hello hello hello\n';
/** Run-length blocks have 4 bytes of file for each 128 KB of content. */
const bombFrame = Buffer.concat([
  Buffer.from('28b52ffd0058', 'hex'),
  ...Array.from({ length: 4000 }, (_, index) => Buffer.from([index === 3999 ? 3 : 2, 0, 0x10, 0x61])),
]);

const newMemory = () => Buffer.from(new SharedArrayBuffer(DECODED_BYTES));

async function decode(file: Buffer, chunkBytes = file.length): Promise<string> {
  const decoded: Buffer[] = [];
  await decodeZstd(
    { chunks: chunksOf(file, Math.max(1, chunkBytes)), file: 'x.zst', memory: newMemory() },
    async (chunk) => {
      decoded.push(Buffer.from(chunk));
    },
  );
  return Buffer.concat(decoded).toString();
}

async function* chunksOf(file: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += chunkBytes) yield file.subarray(at, at + chunkBytes);
}

async function issueWith(file: Buffer): Promise<string> {
  const error = await decode(file).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UnreadableFile);
  return (error as UnreadableFile).issue.message;
}

function skippable(content: string): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x184d2a53);
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, Buffer.from(content)]);
}

describe('decodeZstd', () => {
  const content = Array.from({ length: 60_000 }, (_, index) => `${index * index} `).join('');

  it.each([7, 1000, 2 ** 20])('decodes a file that is read %i bytes at a time', async (chunkBytes) => {
    expect(await decode(zstd(content), chunkBytes)).toBe(content);
  });

  it('decodes several frames, leaving out skippable ones', async () => {
    const file = Buffer.concat([
      skippable('a'),
      zstd(content),
      checkedFrame,
      skippable(''),
      zstd('end'),
      skippable('b'),
    ]);
    expect(await decode(file, 333)).toBe(`${content}${hello}end`);
  });

  it('decodes an empty frame to nothing', async () => {
    expect(await decode(zstd(''))).toBe('');
  });

  it('says of a file cut off anywhere that it is cut off', async () => {
    const file = Buffer.concat([checkedFrame, skippable('abc'), checkedFrame]);
    const frameEnds = new Set([0, checkedFrame.length, checkedFrame.length + 11]);
    for (let length = 1; length < file.length; length += 1) {
      if (frameEnds.has(length)) continue;
      expect(await issueWith(file.subarray(0, length))).toBe('is cut off: it ends inside a zstd frame');
    }
  });

  it.each([
    ['an empty file', Buffer.alloc(0), 'is empty'],
    ['a file of skippable frames only', skippable('abc'), 'is empty'],
    ['a file that is not zstd', Buffer.from('id: 1'), 'is not a zstd file'],
    [
      'bytes after the last frame',
      Buffer.concat([checkedFrame, Buffer.from('more')]),
      'bytes after its last zstd frame',
    ],
    ['a frame with a dictionary', Buffer.from('28b52ffd0158ff0000', 'hex'), 'compressed with a zstd dictionary'],
    ['a frame with a huge window', Buffer.from('28b52ffd00f8010000', 'hex'), 'window above 128 MB'],
    ['a block of the reserved type', Buffer.from('28b52ffd0058070000', 'hex'), 'is damaged'],
    ['a reserved header bit', Buffer.from('28b52ffd0858010000', 'hex'), 'is damaged'],
  ])('refuses %s', async (_name, file, message) => {
    expect(await issueWith(file)).toContain(message);
  });

  it('refuses content that does not match the checksum', async () => {
    const damaged = Buffer.from(checkedFrame);
    damaged[damaged.length - 1] = 0;
    expect(await issueWith(damaged)).toMatch(/^is damaged: its zstd data cannot be decoded/);
  });

  it('refuses compressed data that is damaged', async () => {
    const damaged = zstd(content);
    damaged.fill(0xff, 12, 60);
    expect(await issueWith(damaged)).toContain('is damaged');
  });

  it('decodes the next files in the same threads, also after a damaged file', async () => {
    const damaged = zstd(content);
    damaged.fill(0xff, 12, 60);
    for (let round = 0; round < 3; round += 1) {
      expect(await decode(zstd(content))).toBe(content);
      expect(await issueWith(damaged)).toContain('is damaged');
      expect(await Promise.all([decode(zstd('one')), decode(checkedFrame)])).toEqual(['one', hello]);
    }
  });

  it('hands a file that unpacks to 500 MB over in small pieces, each awaited', async () => {
    let largest = 0;
    let total = 0;
    let isBusy = false;
    await decodeZstd({ chunks: chunksOf(bombFrame, 4096), file: 'x.zst', memory: newMemory() }, async (chunk) => {
      expect(isBusy).toBe(false);
      isBusy = true;
      largest = Math.max(largest, chunk.length);
      total += chunk.length;
      await Promise.resolve();
      isBusy = false;
    });
    expect(total).toBe(4000 * 2 ** 17);
    expect(largest).toBeLessThanOrEqual(2 ** 21);
  });

  it('leaves a piece in place, and free bytes before the next, until the sink has had that', async () => {
    const numbers = Array.from({ length: 3_000_000 }, (_, index) => `${index} `).join('');
    const memory = newMemory();
    const decoded: Buffer[] = [];
    let before: Buffer | undefined;
    const keep = () => before !== undefined && decoded.push(Buffer.from(before));
    await decodeZstd({ chunks: chunksOf(zstd(numbers), 2 ** 16), file: 'x.zst', memory }, async (content) => {
      memory.fill(0, content.byteOffset - FREE_BYTES, content.byteOffset);
      // The decoder gets time to do whatever it may.
      await setTimeout(5);
      keep();
      before = content;
    });
    keep();
    expect(Buffer.concat(decoded).toString()).toBe(numbers);
  });

  it('stops at an error of the sink and passes it on', async () => {
    const failure = new Error('disk full');
    const source = { chunks: chunksOf(zstd(content), 100), file: 'x.zst', memory: newMemory() };
    const decoding = decodeZstd(source, () => Promise.reject(failure));
    await expect(decoding).rejects.toBe(failure);
  });

  it("stops with the signal's reason", async () => {
    const reason = new Error('enough');
    // The second file has ended when the decoder is destroyed.
    for (const file of [bombFrame, zstd(content)]) {
      const controller = new AbortController();
      const source = { chunks: chunksOf(file, 4096), file: 'x.zst', memory: newMemory(), signal: controller.signal };
      const decoding = decodeZstd(source, async () => controller.abort(reason));
      await expect(decoding).rejects.toBe(reason);
    }
  });
});

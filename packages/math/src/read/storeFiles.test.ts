import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/folders.ts';
import { EventsWriter } from './storeFiles.ts';

describe('EventsWriter', () => {
  it('keeps order and offsets, whatever the sizes', async () => {
    const path = join(await temporaryFolder(), 'events');
    const sizes = [3, 2 ** 20, 1, 700_000, 700_000, 3 * 2 ** 20 + 5, 2, 2 ** 20 + 1, 2 ** 20 - 1, 1, 9];
    const pieces = sizes.map((size, index) => Buffer.alloc(size, index + 1));
    const file = await open(path, 'wx');
    const writer = new EventsWriter(file);
    for (const [index, piece] of pieces.entries()) {
      writer.add(piece.length);
      await writer.write(piece);
      // The caller reuses its memory as soon as the next write has begun.
      pieces[index - 1]?.fill(0xff);
    }
    await writer.written();
    pieces.at(-1)?.fill(0xff);
    const offsets = await writer.finish();
    await file.close();
    const written = await readFile(path);
    expect(offsets.at(-1)).toBe(written.length);
    for (const [index, size] of sizes.entries()) {
      const events = written.subarray(offsets[index], offsets[index + 1]);
      expect(events.equals(Buffer.alloc(size, index + 1))).toBe(true);
    }
  });

  it('fails when a write that was begun before has failed', async () => {
    const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
    const file = { write: () => Promise.reject(full), sync: () => Promise.resolve() } as unknown as FileHandle;
    const writer = new EventsWriter(file);
    await writer.write(Buffer.alloc(2 ** 20));
    await expect(writer.finish()).rejects.toBe(full);
  });

  it('fails when the disk did not take what was written before', async () => {
    const failed = Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' });
    const file = {
      write: async (bytes: Uint8Array) => ({ bytesWritten: bytes.length }),
      datasync: () => Promise.reject(failed),
      sync: () => Promise.resolve(),
    } as unknown as FileHandle;
    const writer = new EventsWriter(file);
    const events = Buffer.alloc(2 ** 20);
    for (let written = 0; written < 70; written += 1) await writer.write(events);
    await expect(writer.finish()).rejects.toBe(failed);
  });
});

/** Git LFS leaves such a text in place of a file that it has not fetched. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** Each has its first bytes, in hexadecimal digits. */
const PACKED: Readonly<Record<string, string>> = {
  gzip: '1f8b',
  zstd: '28b52ffd',
  ZIP: '504b0304',
  xz: 'fd377a585a00',
  bzip2: '425a68',
};
const UTF16_MARKS = ['fffe', 'feff'];
const UTF8_MARK = 'efbbbf';

/**
 * Says what a file is in place of text, and what to do, from its first bytes; undefined for what
 * may be text. `unpacked` is what to do with a compressed one.
 */
export function notText(head: Buffer, unpacked = 'unpack it'): string | undefined {
  if (head.toString('latin1', 0, LFS_POINTER.length) === LFS_POINTER)
    return 'is a Git LFS pointer and not the file itself: run `git lfs pull`';
  const packed = Object.keys(PACKED).find((name) => startsWith(head, PACKED[name] as string));
  if (packed !== undefined) return `is compressed with ${packed}: ${unpacked}`;
  return UTF16_MARKS.some((mark) => startsWith(head, mark)) ? 'is UTF-16: save it as UTF-8' : undefined;
}

/** Says what a book file is that does not begin as a zstd file does, and what to do. */
export function notZstd(head: Buffer, name: string): string {
  const binary = notText(head, 'unpack it, and compress it with zstd');
  if (binary !== undefined) return binary;
  const text = head.subarray(startsWith(head, UTF8_MARK) ? 3 : 0).toString('latin1');
  if (/^\s*\[/.test(text)) {
    return 'is one JSON array that is not compressed: the math tool ran without compression. Run it with `compression = True`';
  }
  if (!/^\s*\{/.test(text)) return 'is not a zstd file';
  const plain = name.replace(/\.zst$/, '');
  if (plain !== name) return `is JSON that is not compressed: rename it to ${plain}, and run \`zstd ${plain}\``;
  return `is JSON that is not compressed: run \`zstd ${plain}\`, and name ${plain}.zst in index.json`;
}

function startsWith(head: Buffer, bytes: string): boolean {
  return head.subarray(0, bytes.length / 2).toString('hex') === bytes;
}

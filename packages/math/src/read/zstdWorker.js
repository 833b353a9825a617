// This worker decodes zstd in a separate thread. It is JavaScript, because a worker is started from
// its file, and the tests of this package run from its sources.
import { parentPort } from 'node:worker_threads';
import zlib from 'node:zlib';

/** @typedef {import('node:stream').Transform} Transform */
/** @typedef {{ piece?: Uint8Array, into: Uint8Array, close?: true }} Request */

const outputChunkBytes = 2 ** 17;

/**
 * The content goes here, in memory that both threads have, and `into.length` is its most.
 * @type {Uint8Array}
 */
let into;
let bytes = 0;
let decoder = startDecoder();

/**
 * The worker takes one request after the other, so that no response grows beyond what one piece
 * decodes to.
 */
let previous = Promise.resolve();
let isClosed = false;
parentPort?.on('message', (/** @type {Request} */ { piece, into: place, close }) => {
  if (close) {
    isClosed = true;
    parentPort?.close();
    return;
  }
  previous = previous.then(async () => {
    if (isClosed) return;
    const stream = await decoder;
    [into, bytes] = [place, 0];
    await new Promise((resolve) => {
      if (piece === undefined) stream.end().once('end', resolve);
      else stream.write(piece, (error) => !error && resolve(undefined));
    });
    // The thread may be given another file.
    if (piece === undefined) decoder = startDecoder();
    parentPort?.postMessage({ bytes });
  });
});

/** @returns {Promise<Transform>} */
function startDecoder() {
  const started = createDecoder();
  started.then(
    (stream) => {
      stream.on('data', (chunk) => {
        into.set(chunk, bytes);
        bytes += chunk.length;
      });
      stream.on('error', (error) => parentPort?.postMessage({ damage: error.message }));
    },
    () => parentPort?.postMessage({ missing: true }),
  );
  return started;
}

/**
 * Returns Node's own decoder where it has one. Otherwise it takes a native one from a package, with
 * 1,100 MB/s; the decoder in plain JavaScript that we tried had 200 MB/s and ignored checksums.
 * @returns {Promise<Transform>}
 */
async function createDecoder() {
  // The types of Node 20 do not know the decoder that Node 22.15 brought.
  const { createZstdDecompress } = /** @type {any} */ (zlib);
  if (createZstdDecompress !== undefined) return createZstdDecompress({ chunkSize: outputChunkBytes });
  const { Decompressor } = await import('@cloudpss/zstd/napi');
  return new Decompressor();
}

// This worker hashes books while a load writes them. It is JavaScript, because a worker is started
// from its file, and the tests of this package run from its sources.
import { hash } from 'node:crypto';
import { openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const HASH_BYTES = 32;

const { path, shared } = /** @type {{ path: string, shared: SharedArrayBuffer }} */ (workerData);
const hashes = Buffer.from(shared);
const file = openSync(path, 'r');
let books = 0;

/** Books lie from one offset to the next. Nothing ends the offsets: then there are no more. */
parentPort?.on('message', (/** @type {Float64Array | undefined} */ offsets) => {
  if (offsets === undefined) {
    parentPort?.close();
    return;
  }
  const start = /** @type {number} */ (offsets[0]);
  const events = Buffer.allocUnsafe(/** @type {number} */ (offsets[offsets.length - 1]) - start);
  for (let done = 0; done < events.length; ) {
    const bytesRead = readSync(file, events, done, events.length - done, start + done);
    if (bytesRead === 0) throw new Error('the events end early');
    done += bytesRead;
  }
  for (let book = 1; book < offsets.length; book += 1) {
    const content = events.subarray(
      /** @type {number} */ (offsets[book - 1]) - start,
      /** @type {number} */ (offsets[book]) - start,
    );
    hashes.write(hash('sha256', content, 'binary'), books * HASH_BYTES, 'binary');
    books += 1;
  }
});

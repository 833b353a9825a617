// It writes the values of fair draws without an end, 64 bits each as `roundhouse rng dump --raw`
// does. The argument is the source.

import { once } from 'node:events';
import { type FairSource, fairTickets } from './fairSource.ts';

const VALUES = 8192;

const tickets = fairTickets(process.argv[2] as FairSource, { game: 'game', version: '1', mode: 'BASE' });
process.stdout.on('error', () => process.exit());
for (;;) {
  const words = new Uint32Array(2 * VALUES);
  for (let at = 0; at < words.length; at += 2) {
    // With this weight no value is rejected.
    tickets(1n, ({ value }) => {
      words[at] = Number(value >> 32n);
      words[at + 1] = Number(value & 0xffffffffn);
    });
  }
  if (!process.stdout.write(Buffer.from(words.buffer))) await once(process.stdout, 'drain');
}

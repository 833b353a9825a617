// Measures what the SDK adds to a game: `createClient` alone, and each entry with all that it
// exports, minified and gzipped. `--json` writes for a program.
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundleEntry } from './bundle.mjs';

const MEASURED = {
  createClient: 'client/createClient',
  'sdk client': 'index',
  'event player': 'events',
  'player duties': 'duties',
  fairness: 'fairness',
  'fun mode': 'fun',
  'free rounds': 'grants',
  'typed input': 'input',
  'plain script': 'plainScript',
};

/**
 * Measures each by name: its bytes, the modules that it holds, and whether the words zod or ts-rest
 * are in it.
 */
export async function measureSize() {
  const measured = {};
  for (const [name, entry] of Object.entries(MEASURED)) {
    const { code, modules } = await bundleEntry(entry);
    measured[name] = {
      minifiedBytes: Buffer.byteLength(code),
      gzipBytes: gzipSync(code, { level: 9 }).length,
      modules,
      namesSchemaLibrary: /zod|ts-rest/i.test(code),
    };
  }
  return measured;
}

/** Writes one line for each. */
function sizeReport(measured) {
  return Object.entries(measured).map(
    ([name, { minifiedBytes, gzipBytes }]) =>
      `${name.padEnd(12)} ${String(gzipBytes).padStart(6)} bytes gzipped, ${String(minifiedBytes).padStart(6)} minified`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const measured = await measureSize();
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify(measured));
  } else {
    for (const line of sizeReport(measured)) console.log(line);
  }
}

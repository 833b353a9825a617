// `pnpm check:packages`, a step of `npm test`, runs publint and are-the-types-wrong on the
// tarballs, and prints their sizes. Packages of this workspace are ES modules only.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { pack } from './pack.mjs';

/** A CommonJS program, or a TypeScript from before `exports`, resolves in these ways. */
const OTHER_RESOLUTIONS = ['node10', 'node16-cjs'];

/** It is a script for `<script src>`, which nobody imports. */
const PLAIN_SCRIPT = './roundhouse.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-pack-'));
try {
  for (const [name, tarball] of pack(folder)) {
    const data = readFileSync(tarball);
    const messages = [...(await issuesOfExports(data)), ...(await issuesOfTypes(data))];
    for (const message of messages) console.error(`${name}: ${message}`);
    if (messages.length > 0) process.exitCode = 1;
    console.log(`${name}: ${Math.ceil(data.length / 1024)} KB`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function issuesOfExports(data) {
  const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages.map((message) => `${message.code}: ${formatMessage(message, pkg, { color: false })}`);
}

async function issuesOfTypes(data) {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(data)), {
    excludeEntrypoints: [PLAIN_SCRIPT],
  });
  if (result.types === false) return [];
  return result.problems
    .filter(({ resolutionKind }) => !OTHER_RESOLUTIONS.includes(resolutionKind))
    .map((problem) => JSON.stringify(problem));
}

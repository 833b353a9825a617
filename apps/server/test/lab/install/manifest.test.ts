import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { sumInstall } from '../../../src/lab/install/installReport.ts';
import {
  parseManifest,
  readManifest,
  renderManifest,
  type Sums,
  writeManifest,
} from '../../../src/lab/install/manifest.ts';
import { temporaryFolder } from '../../support/roundhouse.ts';
import { type Written, write, writeInstallation } from './writeInstallation.ts';

const DOCUMENT = new URL('../../../../../docs/compliance/verify-install.md', import.meta.url);

let folder: string;
let written: Written;
let sums: Sums;
let manifest: string;
let privateKey: string;
let publicKey: string;

beforeAll(async () => {
  written = await writeInstallation('npm');
  folder = await temporaryFolder('manifest');
  await write(path.join(folder, 'host/with blanks/a.conf'), 'a');
  await write(path.join(folder, 'host/alone.conf'), 'b');
  const included = ['with blanks', 'alone.conf'].map((each) => path.join(folder, 'host', each));
  const files = await sumInstall({ ...written.place, included });
  sums = new Map([...files.sums, ['database/function f(bigint[])', 'ab'.repeat(32)]]);
  manifest = path.join(folder, 'manifest.json');
  ({ privateKey, publicKey } = await writeKeys('own'));
  await writeManifest(sums, { file: manifest, privateKey });
});

async function writeKeys(name: string, pair = generateKeyPairSync('ed25519')) {
  const write = async (kind: string, key: KeyObject, type: 'pkcs8' | 'spki') => {
    const file = path.join(folder, `${name}.${kind}.pem`);
    await writeFile(file, key.export({ type, format: 'pem' }));
    return file;
  };
  const privateKey = await write('private', pair.privateKey, 'pkcs8');
  return { privateKey, publicKey: await write('public', pair.publicKey, 'spki') };
}

it('a manifest is read as it was written, with its signature and without', async () => {
  expect(await readManifest({ manifest })).toEqual(sums);
  expect(await readManifest({ manifest, publicKey })).toEqual(sums);
});

it('files are sorted by the bytes of their names, whatever their order', () => {
  const sum = 'ab'.repeat(32);
  const names = ['install/b', 'install/\u{1F600}', 'install/\uFF61', 'install/B', 'install/a b'];
  const text = renderManifest(new Map(names.map((name) => [name, sum])));
  expect(text).toBe(renderManifest(new Map([...names].reverse().map((name) => [name, sum]))));
  const sorted = ['install/B', 'install/a b', 'install/b', 'install/\uFF61', 'install/\u{1F600}'];
  expect(Object.keys(JSON.parse(text).files)).toEqual(sorted);
});

it('a manifest with one byte changed is refused, also without a key', async () => {
  const bytes = await readFile(manifest);
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(bytes);
      changed[at] = ((changed[at] ?? 0) + by) % 256;
      expect(() => parseManifest(changed.toString('utf8'), 'm.json')).toThrow(
        /^(The manifest m\.json was changed: |m\.json is no manifest of an installation)/,
      );
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  ['a file more', (text: string) => text.replace('"files": {', `"files": {\n    "install/x": "${'0'.repeat(64)}",`)],
  ['a byte order mark', (text: string) => `\uFEFF${text}`],
  ['a line end less', (text: string) => text.trimEnd()],
  ['the same name twice', (text: string) => text.replace(/\n( {4}"[^\n]+)/, '\n$1\n$1')],
  ['nothing', () => ''],
  ['null', () => 'null'],
])('a manifest with %s is refused', (_, change) => {
  const text = change(renderManifest(sums));
  expect(() => parseManifest(text, 'm.json')).toThrow(/^(The manifest m\.json was changed|m\.json is no manifest)/);
});

it('a signature has to be there, whole, of these bytes and of this key', async () => {
  const other = await writeKeys('other');
  const copy = path.join(folder, 'copy.json');
  await writeManifest(sums, { file: copy });
  await expect(readManifest({ manifest: copy, publicKey })).rejects.toThrow(
    `The manifest ${copy} has no signature: there is no ${copy}.sig.`,
  );
  await expect(readManifest({ manifest, publicKey: other.publicKey })).rejects.toThrow(
    `The signature of ${manifest} is not valid for the key ${other.publicKey}.`,
  );
  const signature = await readFile(`${manifest}.sig`);
  const flipped = Buffer.from(signature);
  flipped[10] = (flipped[10] ?? 0) ^ 1;
  for (const wrong of [flipped, signature.subarray(1), Buffer.alloc(0), Buffer.concat([signature, signature])]) {
    await writeFile(`${copy}.sig`, wrong);
    await expect(readManifest({ manifest: copy, publicKey })).rejects.toThrow(/is not valid for the key/);
  }
  // The manifest is whole, but of another installation.
  await writeFile(`${copy}.sig`, signature);
  await writeFile(copy, renderManifest(new Map([...sums].slice(1))));
  await expect(readManifest({ manifest: copy, publicKey })).rejects.toThrow(/is not valid for the key/);
});

it('a new manifest without a key takes the earlier signature away', async () => {
  const file = path.join(folder, 'again.json');
  await writeManifest(sums, { file, privateKey });
  await writeManifest(sums, { file });
  await expect(readFile(`${file}.sig`)).rejects.toThrow('ENOENT');
});

it('invalid keys, or those of another kind, are refused, and nothing is written', async () => {
  const rsa = await writeKeys('rsa', generateKeyPairSync('rsa', { modulusLength: 2048 }));
  const text = path.join(folder, 'text.pem');
  await writeFile(text, 'no key');
  const missing = path.join(folder, 'missing.pem');
  const file = path.join(folder, 'unwritten.json');
  for (const key of [rsa.publicKey, text])
    await expect(readManifest({ manifest, publicKey: key })).rejects.toThrow(`${key} holds no public Ed25519 key`);
  for (const key of [rsa.privateKey, publicKey, text])
    await expect(writeManifest(sums, { file, privateKey: key })).rejects.toThrow(`${key} holds no private Ed25519 key`);
  await expect(readManifest({ manifest, publicKey: missing })).rejects.toThrow(
    `The public key ${missing} cannot be read: ENOENT.`,
  );
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  await expect(readManifest({ manifest: missing })).rejects.toThrow(`The manifest ${missing} cannot be read: ENOENT.`);
});

it('sha256sum and openssl verify a manifest by the commands of the document', async () => {
  const { home } = written;
  const good = 'Signature Verified Successfully\nhash over all: OK\ngames/first/notes.txt\n';
  expect(await runDocumented(home)).toBe(good);
  // Each command finds the change that it looks for.
  const copy = path.join(folder, 'changed');
  execFileSync('cp', ['-r', home, copy]);
  await write(path.join(copy, 'install/node_modules/express/index.js'), 'changed');
  await expect(runDocumented(copy)).rejects.toThrow(/node_modules\/express\/index\.js: FAILED/);
  await write(path.join(copy, 'install/node_modules/express/index.js'), 'require("qs");');
  await write(path.join(copy, 'install/node_modules/express/planted.js'), '');
  await write(path.join(folder, 'host/with blanks/planted.conf'), '');
  expect((await runDocumented(copy)).split('\n').slice(2)).toEqual([
    'games/first/notes.txt',
    `host${folder}/host/with blanks//planted.conf`,
    'install/node_modules/express/planted.js',
    '',
  ]);
  await writeFile(path.join(folder, 'wrong.json'), await readFile(manifest));
  await writeFile(path.join(folder, 'wrong.json.sig'), Buffer.alloc(64));
  await expect(runDocumented(home, path.join(folder, 'wrong.json'))).rejects.toThrow(/Signature Verification Failure/i);
});

/** Debian has both: openssl is a dependency of its certificates. */
async function runDocumented(home: string, file = manifest): Promise<string> {
  const [, script = ''] = /```sh third-party\n(.*?)```/s.exec(await readFile(DOCUMENT, 'utf8')) ?? [];
  expect(script).toContain('openssl pkeyutl -verify');
  const folders = {
    INSTALL: path.join(home, 'install'),
    NODE: path.join(home, 'node'),
    GAMES: path.join(home, 'games'),
  };
  const env = { PATH: process.env.PATH, ...folders, MANIFEST: file, KEY: publicKey };
  const cwd = await temporaryFolder('third party');
  const { status, stdout } = spawnSync('sh', ['-e', '-c', `exec 2>&1\n${script}`], { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
  return stdout;
}

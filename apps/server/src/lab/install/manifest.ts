import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { StartError } from '@roundhouse/service';
import { z } from 'zod';
import { reasonOf, stopWith } from '../../base/reason.ts';

const FORMAT = 'roundhouse-manifest-1';

/** The sums are SHA-256 in hexadecimal digits, by `<root>/<path>`. */
export type Sums = ReadonlyMap<string, string>;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  sha256: sha256Schema,
  files: z.record(z.string(), sha256Schema),
});

/** Compares bytes, as `LC_ALL=C sort` does. */
export function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Hashes the lines that sha256sum prints for the files, sorted by name. */
export function hashOfAll(sums: Sums): string {
  const hash = createHash('sha256');
  for (const name of [...sums.keys()].sort(byBytes)) hash.update(`${sums.get(name)}  ${name}\n`);
  return hash.digest('hex');
}

/** Returns the manifest as text. The order of the files does not change it. */
export function renderManifest(sums: Sums): string {
  const files = Object.fromEntries([...sums].sort(([left], [right]) => byBytes(left, right)));
  return `${JSON.stringify({ format: FORMAT, sha256: hashOfAll(sums), files }, null, 2)}\n`;
}

/** Throws a StartError when a byte of the text is not as renderManifest writes it. */
export function parseManifest(text: string, file: string): Sums {
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (!parsed.success) throw new StartError(`${file} is no manifest of an installation (${FORMAT}).`);
  const sums = new Map(Object.entries(parsed.data.files));
  if (parsed.data.sha256 !== hashOfAll(sums))
    throw new StartError(`The manifest ${file} was changed: its sha256 is not the hash of its files.`);
  if (renderManifest(sums) !== text)
    throw new StartError(`The manifest ${file} was changed: it is not in its canonical form.`);
  return sums;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type ManifestFile = { manifest: string; publicKey?: string | undefined };

/** Reads and checks a manifest. With a key its signature must also be valid. */
export async function readManifest({ manifest, publicKey }: ManifestFile): Promise<Sums> {
  const bytes = await readOrRefuse(manifest, 'The manifest');
  if (publicKey !== undefined) await requireSignature(bytes, { manifest, publicKey });
  return parseManifest(bytes.toString('utf8'), manifest);
}

async function requireSignature(bytes: Buffer, { manifest, publicKey }: Required<ManifestFile>): Promise<void> {
  const pem = await readOrRefuse(publicKey ?? '', 'The public key');
  const key = ed25519Key(() => createPublicKey(pem), `${publicKey} holds no public Ed25519 key in PEM.`);
  const signature = await readFile(signatureFile(manifest)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new StartError(`The manifest ${manifest} has no signature: there is no ${signatureFile(manifest)}.`);
    throw new StartError(`The signature ${signatureFile(manifest)} cannot be read: ${reasonOf(error)}.`);
  });
  if (!verify(null, bytes, key, signature))
    throw new StartError(`The signature of ${manifest} is not valid for the key ${publicKey}.`);
}

/** Writes the manifest and, with a key, the 64 bytes of its signature beside it. */
export async function writeManifest(sums: Sums, { file, privateKey }: { file: string; privateKey?: string }) {
  const text = renderManifest(sums);
  const key = privateKey === undefined ? undefined : await readPrivateKey(privateKey);
  await writeOrRefuse(file, text);
  // A signature of an earlier manifest would look like one of this manifest.
  if (key === undefined) await rm(signatureFile(file), { force: true });
  else await writeOrRefuse(signatureFile(file), sign(null, Buffer.from(text), key));
}

async function readPrivateKey(file: string): Promise<KeyObject> {
  const pem = await readOrRefuse(file, 'The private key');
  return ed25519Key(() => createPrivateKey(pem), `${file} holds no private Ed25519 key in PEM without a passphrase.`);
}

function ed25519Key(create: () => KeyObject, otherwise: string): KeyObject {
  try {
    const key = create();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The message stays the same, because OpenSSL's own does not name the file.
  }
  throw new StartError(otherwise);
}

function signatureFile(manifest: string): string {
  return `${manifest}.sig`;
}

function readOrRefuse(file: string, what: string): Promise<Buffer> {
  return readFile(file).catch(stopWith(`${what} ${file} cannot be read`));
}

function writeOrRefuse(file: string, content: string | Buffer): Promise<void> {
  return writeFile(file, content).catch(stopWith(`${file} cannot be written`));
}

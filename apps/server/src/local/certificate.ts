import { X509Certificate } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import { StartError } from '@roundhouse/service';
import { MS_PER_DAY } from '../base/durations.ts';

export type Certificate = {
  /** node:https takes the key as PEM. */
  key: string;
  cert: string;
};

export type CertificateOptions = {
  dataFolder: string;
  /** The server has these names or addresses besides localhost, 127.0.0.1 and ::1. */
  hosts: string[];
  nowMs?: number;
};

// Safari refuses server certificates that are valid for more than 825 days, also those that a user
// has trusted.
const VALID_DAYS = 800;
const RENEW_BEFORE_MS = 30 * MS_PER_DAY;
// Some front ends are opened from a machine whose clock is behind ours.
const BACKDATED_MS = MS_PER_DAY;
const ALWAYS = ['localhost', '127.0.0.1', '::1'];

/**
 * Returns a self-signed certificate. The data folder keeps it, so that a browser that has accepted
 * it accepts it again.
 */
export async function devCertificate({
  dataFolder,
  hosts,
  nowMs = Date.now(),
}: CertificateOptions): Promise<Certificate> {
  const file = path.join(dataFolder, 'certificate.json');
  const wanted = [...new Set([...ALWAYS, ...hosts.filter((host) => host !== '0.0.0.0' && host !== '::')])];
  const kept = await readCertificate(file);
  if (kept && covers(kept, wanted) && Date.parse(new X509Certificate(kept.cert).validTo) - nowMs > RENEW_BEFORE_MS)
    return kept;
  const made = await make(wanted, nowMs);
  await writeFile(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return made;
}

async function readCertificate(file: string): Promise<Certificate | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as Certificate;
    return new X509Certificate(kept.cert) && kept;
  } catch {
    // When it is missing or damaged, a new one serves as well.
    return undefined;
  }
}

function covers({ cert }: Certificate, hosts: string[]): boolean {
  const certificate = new X509Certificate(cert);
  return hosts.every((host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined);
}

async function make(hosts: string[], nowMs: number): Promise<Certificate> {
  // The import is here, because it takes a good part of a start, and nearly no start needs it.
  const { generate } = await import('selfsigned').catch(explainMissing);
  const altNames = hosts.map((host) =>
    isIP(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host },
  );
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Roundhouse development server' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(nowMs - BACKDATED_MS),
    notAfterDate: new Date(nowMs + (VALID_DAYS - 1) * MS_PER_DAY),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  return { key, cert };
}

/** The package is optional: a server in production has a proxy for TLS. */
function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw new StartError('The package selfsigned is not installed: install it, or leave out --https');
}

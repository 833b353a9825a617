import os from 'node:os';
import { isAnyAddress, LAUNCH_PATH } from '../base/address.ts';

/** Home and office networks come first; Docker's own are among 172.16.0.0/12. */
const PREFERRED = [/^192\.168\./, /^10\./];

/** Returns the address of this machine for a phone in the same network, if it is in one. */
export function lanAddress(interfaces: ReturnType<typeof os.networkInterfaces>): string | undefined {
  const addresses = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  for (const each of PREFERRED) {
    const preferred = addresses.find((address) => each.test(address));
    if (preferred !== undefined) return preferred;
  }
  return addresses[0];
}

/**
 * Returns the launch address as a QR code, when the server listens on all addresses. The phone gets
 * a separate session.
 */
export async function phoneText(
  { host, url }: { host: string; url: string },
  interfaces = os.networkInterfaces(),
): Promise<string | undefined> {
  if (!isAnyAddress(host)) return undefined;
  const address = lanAddress(interfaces);
  if (address === undefined) return 'For a phone: this machine is in no network with an IPv4 address.';
  const launchUrl = new URL(LAUNCH_PATH, url);
  launchUrl.hostname = address;
  // It is loaded here, because only this needs it.
  const { renderUnicodeCompact } = await import('uqr');
  return `For a phone in the same network: ${launchUrl}\n\n${renderUnicodeCompact(launchUrl.href, { border: 2 })}`;
}

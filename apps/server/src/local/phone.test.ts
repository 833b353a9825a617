import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { lanAddress, phoneText } from './phone.ts';

function addressOf(address: string, options: { internal?: boolean; family?: 'IPv4' | 'IPv6' } = {}) {
  const { internal = false, family = 'IPv4' } = options;
  return [{ address, internal, family } as NetworkInterfaceInfo];
}

it.each([
  { interfaces: { lo: addressOf('127.0.0.1', { internal: true }) }, address: undefined },
  { interfaces: { docker0: addressOf('172.17.0.1'), wlan0: addressOf('192.168.1.20') }, address: '192.168.1.20' },
  { interfaces: { docker0: addressOf('172.17.0.1'), eth0: addressOf('10.1.2.3') }, address: '10.1.2.3' },
  { interfaces: { eth0: addressOf('fe80::1', { family: 'IPv6' }) }, address: undefined },
  { interfaces: { eth0: addressOf('203.0.113.9') }, address: '203.0.113.9' },
])('a phone reaches this machine at $address', ({ interfaces, address }) => {
  expect(lanAddress(interfaces)).toBe(address);
});

it('there is no code for a phone where the server listens on one address only', async () => {
  expect(await phoneText({ host: '127.0.0.1', url: 'http://127.0.0.1:4000' })).toBeUndefined();
});

it('a phone gets the launch address of this machine in its network, as text and as a code', async () => {
  const listening = { host: '0.0.0.0', url: 'http://localhost:4000' };
  const [line, , ...code] = ((await phoneText(listening, { wlan0: addressOf('192.168.1.20') })) ?? '').split('\n');
  expect(line).toBe('For a phone in the same network: http://192.168.1.20:4000/launch');
  const widths = new Set(code.map((row) => row.length));
  expect([widths.size, code.length]).toEqual([1, Math.ceil((code[0]?.length ?? 0) / 2)]);
  expect(await phoneText(listening, {})).toBe('For a phone: this machine is in no network with an IPv4 address.');
});

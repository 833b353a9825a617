import ipaddr from 'ipaddr.js';

/** This part of an IPv6 address names the network of a subscriber, who has 2^64 addresses in it. */
const IPV6_NETWORK_BYTES = 8;

/** Returns the part of an address that one client cannot change at will, for limits by address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.toByteArray().slice(0, IPV6_NETWORK_BYTES).join(':');
}

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** scripts/prometheus.mjs unpacks Debian's package here. */
const UNPACKED = fileURLToPath(new URL('../../../node_modules/.cache/prometheus/usr/bin/', import.meta.url));

/** Returns the path of a program of Prometheus, or its name when it is to be found on the path. */
export function programPath(name: 'promtool' | 'prometheus'): string {
  return existsSync(`${UNPACKED}${name}`) ? `${UNPACKED}${name}` : name;
}

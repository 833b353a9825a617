import { readFileSync } from 'node:fs';
import type { SignedCall } from '../src/operator/signature.ts';

/** A row of the table has a request with its headers and a secret. */
type Vector = {
  name: string;
  secret: string;
  timestamp: string;
  nonce: string;
  call: SignedCall;
  signature: string;
  holds: boolean;
};

/**
 * Returns the table of the document that operators read, so that it cannot say anything else than
 * the code does.
 */
export function publishedVectors(): Vector[] {
  const text = readFileSync(new URL('../../../docs/signature.md', import.meta.url), 'utf8');
  const [, table = ''] = text.split('## Test vectors');
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const cells = line.split('|').slice(1, -1).map(cellText);
    const [name = '', secret = '', direction = '', timestamp = '', nonce = '', target = '', body = ''] = cells;
    const [method = '', path = ''] = target.split(' ');
    const call = { direction: direction as SignedCall['direction'], method, path, body };
    const [signature = '', holds = ''] = cells.slice(7);
    return { name, secret, timestamp, nonce, call, signature, holds: holds === 'yes' };
  });
}

function cellText(cell: string): string {
  const text = cell.trim();
  return text === '(empty)' ? '' : text.replace(/^`(.*)`$/, '$1');
}

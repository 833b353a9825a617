import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Holds a request of a document with the response that it promises. */
export type Example = {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** It is undefined for a request without a body. */
  body: string | undefined;
  status: number;
  response: unknown;
};

const FENCE = /^```http\n([\s\S]*?)^```$/gm;
const FEWEST = 16;
/** As a value it stands for any value, as a key for all other members. */
const ELLIPSIS = '…';

/** Returns the ```http blocks of a document in docs/, in their order. Throws when there are few. */
export function examplesOf(document: string): Example[] {
  const text = readFileSync(new URL(`../../../../docs/${document}`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(FENCE)];
  if (blocks.length < FEWEST) throw new Error(`${document} has ${blocks.length} examples`);
  return blocks.map(([, block = '']) => {
    const [, request = '', status = '', response = ''] = /^([\s\S]*?)\n\n(\d{3})\n([\s\S]*)$/.exec(block) ?? [];
    const [head = '', body] = request.split(/\n\n/, 2);
    const [target = '', ...headerLines] = head.split('\n');
    const [method = '', path = ''] = target.split(' ');
    const headers = Object.fromEntries(headerLines.map((line) => line.split(': ', 2)));
    const line = text.slice(0, text.indexOf(block)).split('\n').length;
    const name = `line ${line}: ${target} is ${status}`;
    return { name, method, path, headers, body, status: Number(status), response: JSON.parse(response) };
  });
}

/** Expects the promised response. The wording of `message` is not part of the protocol. */
export function expectPromised(actual: { status: number; body: unknown }, { status, response }: Example): void {
  expect({ status: actual.status, body: actual.body }).toEqual({ status, body: filled(response, actual.body) });
}

/** Returns what is promised, with the actual values where the document leaves them out. */
function filled(promised: unknown, actual: unknown): unknown {
  if (typeof promised === 'string') return isLike(promised, actual) ? actual : promised;
  if (typeof promised !== 'object' || promised === null) return promised;
  const at = (key: string) => (actual as Record<string, unknown> | undefined)?.[key];
  if (Array.isArray(promised)) return promised.map((each, index) => filled(each, at(String(index))));
  const { [ELLIPSIS]: others, ...named } = promised as Record<string, unknown>;
  const members = Object.entries(named).map(([key, value]) => [
    key,
    key === 'message' ? at(key) : filled(value, at(key)),
  ]);
  return { ...(others !== undefined && (actual as object)), ...Object.fromEntries(members) };
}

function isLike(promised: string, actual: unknown): boolean {
  if (promised === ELLIPSIS) return actual !== undefined;
  if (!promised.includes(ELLIPSIS) || typeof actual !== 'string') return false;
  const parts = promised.split(ELLIPSIS).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(actual);
}

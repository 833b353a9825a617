import { expect, it } from 'vitest';
import * as z from 'zod';
import * as contract from './index.ts';

/** These texts are for people, and may change at any time. */
const TEXTS = [
  'title',
  'description',
  'examples',
  'example',
  'meaning',
  'name',
  'summary',
  'retryAdvice',
  'metadata',
  '$schema',
];

type Route = { method: string; path: string; responses?: object };

/**
 * Returns a schema as JSON Schema, a route as its address and statuses, a table as it is; all
 * without texts.
 */
function plain(value: unknown): unknown {
  if (value instanceof z.ZodType) return withoutTexts(z.toJSONSchema(value, { io: 'input', unrepresentable: 'any' }));
  const { method, path, responses } = value as Route;
  if (responses) return { method, path, statuses: Object.keys(responses) };
  if (Array.isArray(value)) return withoutTexts(value);
  return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, nested(each)]));
}

const nested = (value: unknown) => (typeof value === 'object' && value !== null ? plain(withoutTexts(value)) : value);

function withoutTexts(value: object): object {
  if (Array.isArray(value) || value instanceof z.ZodType) return value;
  const kept = Object.entries(value).filter(([key, each]) => !TEXTS.includes(key) || 'type' in Object(each));
  return Object.fromEntries(kept.map(([key, each]) => [key, isPlain(each) ? withoutTexts(each) : each]));
}

const isPlain = (value: unknown) => typeof value === 'object' && value !== null;

it('what crosses the wire changes on purpose only, and with docs/protocol.md: `--update` writes the new file', async () => {
  const lines = Object.entries<unknown>(contract)
    .filter(([name, value]) => isPlain(value) && !name.endsWith('MESSAGES'))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `"${name}": ${JSON.stringify(plain(value))}`);
  await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot('wire.snapshot.json');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RawJson, writeJson } from './rawJson.ts';

test('raw JSON goes out byte for byte, where JSON.parse and JSON.stringify would change it', () => {
  const published = '[{"x": 1.0, "big":12345678901234567890,\t"e":1e2}]';
  const body = writeJson({ round: { state: new RawJson(Buffer.from(published)), event: '漢' } });
  expect(body.toString()).toBe(`{"round":{"state":${published},"event":"漢"}}`);
});

test('whatever stands around it is what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.array(fc.jsonValue()), (before, after, raw) => {
      const bytes = Buffer.from(JSON.stringify(raw));
      const written = writeJson({ before, raw: new RawJson(bytes), again: [new RawJson(bytes)], after });
      expect(written.toString()).toBe(JSON.stringify({ before, raw, again: [raw], after }));
    }),
  );
});

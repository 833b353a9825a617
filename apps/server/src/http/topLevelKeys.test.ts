import fc from 'fast-check';
import { expect, test } from 'vitest';
import { topLevelKeys } from './topLevelKeys.ts';

test('any JSON object has the keys that JSON.parse finds, spelled out', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
      fc.constantFrom(undefined, 2),
      (object, indent) => {
        const json = JSON.stringify(object, undefined, indent);
        expect(topLevelKeys(json)).toEqual(Object.keys(JSON.parse(json) as object));
      },
    ),
  );
});

test.each([
  ['{"a":1,"a":2}', ['a', 'a']],
  ['{"amount":1,"\\u0061mount":2}', ['amount', 'amount']],
  ['{"a":{"a":1,"b":[{"a":2}]},"b":":\\"a\\":"}', ['a', 'b']],
  ['{ "a" : "{" , "b" : [ "}" ] }', ['a', 'b']],
  ['{}', []],
])('%s', (json, keys) => {
  expect(topLevelKeys(json)).toEqual(keys);
});

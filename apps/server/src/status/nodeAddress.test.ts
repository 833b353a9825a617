import { expect, it } from 'vitest';
import { isAsked } from './nodeAddress.ts';

const HERE = 'here.example';

function node(name: string, host: string, port: number) {
  return { node: name, settings: { host: { value: host }, port: { value: port } } };
}

it.each<[url: string, start: Parameters<typeof isAsked>[0], asked: boolean]>([
  ['http://127.0.0.1:4000', node('here.example#7', '127.0.0.1', 4000), true],
  ['http://localhost:4000', node('here.example#7', '0.0.0.0', 4000), true],
  ['http://[::1]:4000', node('here.example#7', '::', 4000), true],
  ['http://HERE.example:4000', node('here.example#7', '0.0.0.0', 4000), true],
  ['http://127.0.0.1:4001', node('here.example#7', '127.0.0.1', 4000), false],
  ['http://there:4000', node('there#7', '0.0.0.0', 4000), true],
  ['http://10.0.0.2:4000', node('there#7', '10.0.0.2', 4000), true],
  ['http://[fd00::2]:4000', node('there#7', 'fd00::2', 4000), true],
  ['http://127.0.0.1:4000', node('there#7', '127.0.0.1', 4000), false],
  ['http://there', node('there#7', '0.0.0.0', 80), true],
  ['https://there', node('there#7', '0.0.0.0', 443), true],
  ['http://there:4000', node('there#7', '0.0.0.0', 0), false],
  ['http://there:4000', { node: 'there#7' }, false],
])('%s asks %j: %s', (url, start, asked) => {
  expect(isAsked(start, ['http://elsewhere:1', url], HERE)).toBe(asked);
});

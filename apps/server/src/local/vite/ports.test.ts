import { expect, it } from 'vitest';
import { portBeside, portOfVariable } from './ports.ts';

it.each([
  [{}, undefined],
  [{ RGS_PORT: '' }, undefined],
  [{ RGS_PORT: '0' }, { port: 0, setBy: 'RGS_PORT' }],
  [{ RGS_PORT: '65535' }, { port: 65_535, setBy: 'RGS_PORT' }],
])('the port of %j is %j', (env, port) => {
  expect(portOfVariable('RGS_PORT', env)).toEqual(port);
});

it.each(['65536', '-1', '6000.5', '0x10', ' 6000', 'free', '1e3'])('"%s" is no port', (text) => {
  expect(() => portOfVariable('PORT', { PORT: text })).toThrow(
    `PORT is "${text}"; a port is a whole number from 0 to 65535.`,
  );
});

it('the RGS has the port after that of the page, and any free one after the last', () => {
  expect([5173, 65_535].map(portBeside)).toEqual([5174, 0]);
});

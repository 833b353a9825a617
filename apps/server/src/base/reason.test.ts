import { readFile } from 'node:fs/promises';
import { StartError } from '@roundhouse/service';
import { expect, it } from 'vitest';
import { reasonOf, stopWith } from './reason.ts';

it('the reason of an error of the system is its code, without the path', async () => {
  const error = await readFile('/nowhere/at/all').catch((thrown: unknown) => thrown);
  expect(reasonOf(error)).toBe('ENOENT');
});

it('the reason of another error is its message', () => {
  expect(reasonOf(new SyntaxError('Unexpected end of JSON input'))).toBe('Unexpected end of JSON input');
});

it('a command stops with what could not be done and the reason', async () => {
  const stopped = readFile('/nowhere/at/all').catch(stopWith('The head cannot be read from /nowhere/at/all'));
  await expect(stopped).rejects.toEqual(new StartError('The head cannot be read from /nowhere/at/all: ENOENT.'));
});

import { describe, expect, it } from 'vitest';
import { ProblemList, problemOf, UnreadableFile } from './problems.ts';

function ioError(code: string): Error {
  return Object.assign(new Error(`${code}: open 'x'`), { code, syscall: 'open' });
}

describe('problemOf', () => {
  it.each([
    ['EACCES', 'no permission to read it'],
    ['ENOENT', 'no such file'],
    ['ENOSPC', 'no space left on the disk'],
    ['EIO', 'cannot be read or written (EIO)'],
  ])('makes %s a problem of the file', (code, message) => {
    expect(problemOf(ioError(code), 'table.csv')).toEqual({ file: 'table.csv', message });
  });

  it('gives the problem of an unreadable file as it is', () => {
    const problem = { file: 'a', line: 3, message: 'is blank' };
    expect(problemOf(new UnreadableFile(problem), 'b')).toBe(problem);
  });

  it.each([new TypeError('x'), Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' }), undefined])(
    'leaves a defect of the program to be thrown: %s',
    (error) => {
      expect(problemOf(error, 'a')).toBeUndefined();
    },
  );
});

describe('ProblemList', () => {
  it('keeps the first 20 and counts all', () => {
    const problems = new ProblemList();
    for (let line = 1; line <= 25; line += 1) problems.add({ file: 'a', line, message: 'is blank' });
    expect(problems.failure()).toMatchObject({ ok: false, problemCount: 25 });
    expect(problems.kept.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

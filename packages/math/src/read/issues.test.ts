import { describe, expect, it } from 'vitest';
import { IssueList, issueOf, UnreadableFile } from './issues.ts';

function ioError(code: string): Error {
  return Object.assign(new Error(`${code}: open 'x'`), { code, syscall: 'open' });
}

describe('issueOf', () => {
  it.each([
    ['EACCES', 'no permission to read it'],
    ['ENOENT', 'no such file'],
    ['ENOSPC', 'no space left on the disk'],
    ['EIO', 'cannot be read or written (EIO)'],
  ])('makes %s an issue of the file', (code, message) => {
    expect(issueOf(ioError(code), 'table.csv')).toEqual({ file: 'table.csv', message });
  });

  it('gives the issue of an unreadable file as it is', () => {
    const issue = { file: 'a', line: 3, message: 'is blank' };
    expect(issueOf(new UnreadableFile(issue), 'b')).toBe(issue);
  });

  it.each([new TypeError('x'), Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' }), undefined])(
    'leaves a defect of the program to be thrown: %s',
    (error) => {
      expect(issueOf(error, 'a')).toBeUndefined();
    },
  );
});

describe('IssueList', () => {
  it('keeps the first 20 and counts all', () => {
    const issues = new IssueList();
    for (let line = 1; line <= 25; line += 1) issues.add({ file: 'a', line, message: 'is blank' });
    expect(issues.failure()).toMatchObject({ ok: false, issueCount: 25 });
    expect(issues.kept.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

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
    const failure = issues.failure();
    expect(failure).toMatchObject({ ok: false, issueCount: 25 });
    const lines = failure.ok ? [] : failure.issues.map(({ line }) => line);
    expect(lines).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('has one issue of a kind for each file, also when it is not among the first 20', () => {
    const issues = new IssueList();
    for (const line of [1, 2]) issues.addLine({ file: 'a', line, message: 'is blank' }, 'blank');
    for (let index = 0; index < 19; index += 1) issues.add({ file: 'b', message: 'is empty' });
    for (const line of [3, 4]) issues.addLine({ file: 'c', line, message: 'is blank' }, 'blank');
    const failure = issues.failure();
    expect(failure).toMatchObject({ issueCount: 21 });
    const shown = failure.ok ? [] : failure.issues.map(({ message }) => message);
    expect(shown).toEqual(['is blank (also line 2)', ...Array(19).fill('is empty')]);
  });
});

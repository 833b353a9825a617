import { describe, expect, it } from 'vitest';
import { checkGameID, checkTitle, packageNameOf, titleOf } from './names.ts';
import { readOptions } from './options.ts';

const read = (...args: string[]) => readOptions(args, '1.2.3');

describe('the options', () => {
  it('are all read', () => {
    const args = ['lucky', '--template', 'vanilla', '--id', 'lucky-7', '--name', 'Lucky 7', '-y', '--no-install'];
    expect(read(...args, '--packages', 'tarballs')).toEqual({
      kind: 'options',
      options: {
        folder: 'lucky',
        template: 'vanilla',
        id: 'lucky-7',
        name: 'Lucky 7',
        yes: true,
        install: false,
        packages: 'tarballs',
      },
    });
  });

  it('may all be left out', () => {
    expect(read()).toEqual({ kind: 'options', options: { yes: false, install: true } });
  });

  it.each([
    [['--template', 'unity'], 'There is no template "unity". There are: pixi, clusters, vanilla.'],
    [['--template', 'toString'], 'There is no template "toString". There are: pixi, clusters, vanilla.'],
    [['one', 'two'], 'One folder at a time, not one, two.'],
    [['--tempalte', 'pixi'], "Unknown option '--tempalte'"],
    [['--id'], "Option '--id <value>' argument missing"],
  ])('%j are refused', (args, reason) => {
    expect(read(...args)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) });
  });

  it('print the version, and what they are', () => {
    expect(read('--version')).toEqual({ kind: 'text', text: '1.2.3' });
    expect(read('--help')).toEqual({ kind: 'text', text: expect.stringContaining('--template <name>') });
  });
});

describe('the name of the package', () => {
  it.each([
    ['my-game', 'my-game'],
    ['My Game', 'my-game'],
    ['Crème Brûlée!', 'creme-brulee'],
    ['Lucky Straße 7', 'lucky-strasse-7'],
    ['  __.Seven.__ ', 'seven.__'],
    ['@studio', 'studio'],
    ['7', '7'],
  ])('of the folder "%s" is %s', (folder, name) => {
    expect(packageNameOf(folder)).toEqual({ ok: true, name });
  });

  it.each(['火', '🎰', '...', '-', '', 'node_modules', 'x'.repeat(215)])('is refused for "%s"', (folder) => {
    expect(packageNameOf(folder)).toEqual({
      ok: false,
      reason: expect.stringMatching(/A package name has the letters|npm reserves the name/),
    });
  });

  it('in words is the title', () => {
    expect(titleOf('lucky-strasse-7')).toBe('Lucky Strasse 7');
  });
});

it.each(['', 'a b', '-a', 'ä', 'x'.repeat(65), 'a/b', '..'])('the id "%s" is refused', (id) => {
  expect(checkGameID(id)).toEqual({ ok: false, reason: expect.stringContaining('A game id has 1 to 64') });
});

it.each(['', '   ', 'x'.repeat(201), 'two\nlines'])('the title %j is refused', (title) => {
  expect(checkTitle(title).ok).toBe(false);
});

it.each(['Lucky 7', '火', 'a "quoted" <title> & more'])('the title %j is taken', (title) => {
  expect(checkTitle(title)).toEqual({ ok: true, name: title });
});

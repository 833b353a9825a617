import { execFileSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  cp,
  type FileHandle,
  link,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type InstallReport, sumInstall, verifyInstall } from '../../src/install/installReport.ts';
import type { Sums } from '../../src/install/manifest.ts';
import { temporaryFolder } from '../support/roundhouse.ts';
import { type Layout, placeIn, type Written, write, writeInstallation } from './writeInstallation.ts';

const NOBODY = 65_534;
const EDITS = 100;
const LAYOUTS: Layout[] = ['npm', 'pnpm'];
const NOTHING = { changed: [], missing: [], extra: [], unreadable: {} };

type Differences = Pick<InstallReport, 'changed' | 'missing' | 'extra' | 'unreadable'>;

async function installed(layout: Layout = 'npm'): Promise<Written & { sums: Sums }> {
  const written = await writeInstallation(layout);
  return { ...written, sums: (await sumInstall(written.place)).sums };
}

/** The report has these differences and no other. */
async function expectFound({ place, sums }: Written & { sums: Sums }, differences: Partial<Differences>) {
  const report = await verifyInstall(place, sums);
  expect(report).toMatchObject({ ok: false, ...NOTHING, ...differences });
  expect(report.found).not.toBe(report.expected);
}

const EXPRESS = 'install/node_modules/express';

describe.each(LAYOUTS)('an installation by %s', (layout) => {
  it('has every file of the server, its dependencies, node and the games, and matches itself', async () => {
    const { place, sums, home } = await installed(layout);
    expect(await verifyInstall(place, sums)).toMatchObject({ ok: true, ...NOTHING, files: sums.size });
    const files = execFileSync('find', ['install', 'node', 'games', '-type', 'f', '-not', '-name', 'notes.txt'], {
      cwd: home,
      encoding: 'utf8',
    });
    // For pnpm it has the links, too.
    expect([...sums.keys()]).toEqual(expect.arrayContaining(files.trim().split('\n')));
    expect(sums.size).toBe(files.trim().split('\n').length + (layout === 'pnpm' ? 3 : 0));
  });

  it('has the same sums elsewhere', async () => {
    const { home, sums } = await installed(layout);
    const copy = await temporaryFolder('moved');
    await cp(home, copy, { recursive: true, verbatimSymlinks: true });
    expect((await sumInstall(placeIn(copy, 'install/node_modules/roundhouse'))).sums).toEqual(sums);
  });

  it(`names the file of each of ${EDITS} random edits`, async () => {
    const { home, sums } = await installed(layout);
    const names = [...sums.keys()].sort();
    const folders = [...new Set(names.filter((name) => !/game\.json$|^node/.test(name)).map(path.posix.dirname))];
    const file = fc.constantFrom(...names);
    const edit = fc.oneof(
      fc.record({ kind: fc.constant('byte' as const), file, at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ kind: fc.constant('append' as const), file }),
      fc.record({ kind: fc.constant('remove' as const), file }),
      fc.record({
        kind: fc.constant('add' as const),
        folder: fc.constantFrom(...folders),
        name: fc.constantFrom('.hidden', 'new.js', 'deep/er/new.js', 'deep/node_modules/express/index.js'),
      }),
    );
    const place = placeIn(home, 'install/node_modules/roundhouse');
    await fc.assert(
      fc.asyncProperty(edit, async (change) => {
        if (change.kind === 'add') {
          const name = path.join(home, change.folder, change.name);
          const [first = ''] = change.name.split('/');
          await write(name, 'new');
          const { ok, changed, missing, extra } = await verifyInstall(place, sums);
          await rm(path.join(home, change.folder, first), { recursive: true });
          expect({ ok, changed, missing }).toEqual({ ok: false, changed: [], missing: [] });
          expect(extra.filter((each) => each.endsWith(`/${change.name}`))).toHaveLength(1);
          return;
        }
        const target = path.join(home, change.file);
        const before = await readFile(target);
        if (change.kind === 'remove') await rm(target);
        if (change.kind === 'append') await appendFile(target, ' ');
        if (change.kind === 'byte') {
          const bytes = Buffer.from(before);
          const at = change.at % bytes.length;
          bytes[at] = ((bytes[at] ?? 0) + change.by) % 256;
          await writeFile(target, bytes);
        }
        const { ok, changed, missing, extra } = await verifyInstall(place, sums);
        await writeFile(target, before);
        expect({ ok, extra }).toEqual({ ok: false, extra: [] });
        expect(change.kind === 'remove' ? missing : changed).toContain(change.file);
        // Only a link of pnpm gives a file a second name.
        expect(new Set([...changed, ...missing].map((name) => sums.get(name))).size).toBe(1);
      }),
      { numRuns: EDITS },
    );
  });
});

const PNPM_LINK = 'install/node_modules/.pnpm/roundhouse@1.0.0/node_modules/qs';
const HIDING = 'install/node_modules/roundhouse/node_modules/qs';
const OWN_QS = `${EXPRESS}/node_modules/qs/index.js`;

it.each<[what: string, change: (at: (name: string) => string) => Promise<unknown>, Partial<Differences>, Layout?]>([
  [
    'a package that hides another of the same name is extra',
    (at) => cp(at('install/node_modules/qs'), at(HIDING), { recursive: true }),
    { extra: [`${HIDING}/index.js`, `${HIDING}/package.json`] },
  ],
  [
    'a package that was optional and is planted is extra',
    (at) => write(at('install/node_modules/vite/index.js'), ''),
    { extra: ['install/node_modules/vite/index.js'] },
  ],
  [
    'a link of pnpm that leads to another version is changed',
    (at) => rm(at(PNPM_LINK)).then(() => symlink('../../qs@2.0.0/node_modules/qs', at(PNPM_LINK))),
    { changed: [`${PNPM_LINK}/package.json`] },
    'pnpm',
  ],
  [
    'a package.json that was broken is changed, and what it names is still compared',
    (at) => Promise.all([write(at(`${EXPRESS}/package.json`), '{'), write(at(OWN_QS), 'changed')]),
    { changed: [OWN_QS, `${EXPRESS}/package.json`] },
  ],
  [
    'a dependency that is gone is named, with its files',
    (at) => rm(at('install/node_modules/qs'), { recursive: true }),
    {
      missing: ['install/node_modules/qs/index.js', 'install/node_modules/qs/package.json'],
      unreadable: { [HIDING]: 'a dependency that is not installed' },
    },
  ],
  [
    'a game that is added is extra, and one that lost its game.json is missing it',
    (at) => Promise.all([write(at('games/third/math/index.json'), '{}'), rm(at('games/second/1.0.0/game.json'))]),
    { extra: ['games/third/math/index.json'], missing: ['games/second/1.0.0/game.json'] },
  ],
  ['another program node is changed', (at) => appendFile(at('node/node'), '!'), { changed: ['node/node'] }],
])('%s', async (_, change, differences, layout) => {
  const written = await installed(layout);
  await change((name) => path.join(written.home, name));
  await expectFound(written, differences);
});

describe('included files of the operating system', () => {
  async function included() {
    const { home, place } = await installed();
    const host = await temporaryFolder('host');
    await write(path.join(host, 'roundhouse.env'), 'ROUNDHOUSE_MAX_RTP=97');
    await write(path.join(host, 'conf/deep/b.conf'), 'b');
    await write(path.join(host, 'beside.conf'), 'not included');
    const paths = ['roundhouse.env', 'conf'].map((each) => path.join(host, each));
    return { host, written: { home, place, ...(await sumInstall({ ...place, included: paths })) } };
  }

  it('are checked where the manifest has them', async () => {
    const { host, written } = await included();
    const names = [...written.sums.keys()].filter((name) => name.startsWith('host/'));
    expect(names.sort()).toEqual([`host${host}/conf//deep/b.conf`, `host${host}/roundhouse.env`]);
    expect(await verifyInstall(written.place, written.sums)).toMatchObject({ ok: true, ...NOTHING });
  });

  it('that were changed, added or removed are named', async () => {
    const { host, written } = await included();
    await appendFile(path.join(host, 'roundhouse.env'), '!');
    await write(path.join(host, 'conf/c.conf'), 'c');
    await rm(path.join(host, 'conf/deep'), { recursive: true });
    await expectFound(written, {
      changed: [`host${host}/roundhouse.env`],
      missing: [`host${host}/conf//deep/b.conf`],
      extra: [`host${host}/conf//c.conf`],
    });
  });

  it.each([
    ['nothing', 'ENOENT'],
    ['empty', 'a folder without files'],
  ])('%s cannot be included', async (name, why) => {
    const { host, written } = await included();
    await mkdir(path.join(host, 'empty'));
    const file = path.join(host, name);
    await expect(sumInstall({ ...written.place, included: [file] })).rejects.toThrow(
      `No manifest: "host${file}" is ${why}.`,
    );
  });
});

describe('symbolic links', () => {
  it('to a file of the same package are hashed as that file', async () => {
    const { home, place } = await installed();
    await symlink('index.js', path.join(home, EXPRESS, 'link.js'));
    const { sums } = await sumInstall(place);
    expect(sums.get(`${EXPRESS}/link.js`)).toBe(sums.get(`${EXPRESS}/index.js`));
    await rm(path.join(home, EXPRESS, 'link.js'));
    await symlink('package.json', path.join(home, EXPRESS, 'link.js'));
    await expectFound({ home, place, sums }, { changed: [`${EXPRESS}/link.js`] });
  });

  it.each([
    ['out of the package', '../../../games/first/game.json', 'a symbolic link that leads out of its folder'],
    ['to a folder', 'lib', 'a symbolic link to a folder'],
    ['nowhere', 'nothing', 'a symbolic link that leads nowhere (ENOENT)'],
    ['to itself', 'link.js', 'a symbolic link that leads nowhere (ELOOP)'],
  ])('%s are reported, also where the content is the same, and no manifest is written', async (_, target, why) => {
    const written = await installed();
    await symlink(target, path.join(written.home, EXPRESS, 'link.js'));
    await expectFound(written, { unreadable: { [`${EXPRESS}/link.js`]: why } });
    await expect(sumInstall(written.place)).rejects.toThrow(`No manifest: "${EXPRESS}/link.js" is ${why}.`);
  });

  it('in the place of a file are reported by its name', async () => {
    const written = await installed();
    const file = path.join(written.home, EXPRESS, 'index.js');
    await rename(file, path.join(written.home, 'moved.js'));
    await symlink(path.join(written.home, 'moved.js'), file);
    const why = 'a symbolic link that leads out of its folder';
    await expectFound(written, { unreadable: { [`${EXPRESS}/index.js`]: why } });
  });

  it('to the folders of the installation and of a game change nothing', async () => {
    const { home, sums } = await installed();
    const elsewhere = await temporaryFolder('linked');
    await symlink(path.join(home, 'install'), path.join(elsewhere, 'install'));
    await symlink(path.join(home, 'node'), path.join(elsewhere, 'node'));
    await mkdir(path.join(elsewhere, 'games'));
    for (const game of ['first', 'second'])
      await symlink(path.join(home, 'games', game), path.join(elsewhere, 'games', game));
    const place = placeIn(elsewhere, 'install/node_modules/roundhouse');
    expect(await verifyInstall(place, sums)).toMatchObject({ ok: true, ...NOTHING });
  });
});

it('files and folders that vanish during the check are missing, whenever they vanish', async () => {
  for (let round = 0; round < 10; round += 1) {
    const written = await installed();
    const checking = verifyInstall(written.place, written.sums);
    for (let turn = 0; turn < round; turn += 1) await new Promise(setImmediate);
    await rm(path.join(written.home, EXPRESS, 'lib'), { recursive: true });
    const { ok, changed, missing, extra, unreadable } = await checking;
    // The check may have been there before.
    if (ok) continue;
    expect({ changed, extra, unreadable }).toEqual({ changed: [], extra: [], unreadable: {} });
    expect(missing).toEqual([`${EXPRESS}/lib/a file with blanks.js`]);
  }
});

describe('during the check', () => {
  afterEach(() => void vi.restoreAllMocks());

  const NAME = 'games/second/1.0.0/math/index.json';
  const folderOf = (file: string) => path.dirname(file);

  /**
   * Calls `change` within so many reads of that file, or of the first one: no other read goes on
   * meanwhile.
   */
  async function duringRead(change: () => Promise<unknown>, file?: string, times = 1): Promise<void> {
    const handle = await open(file ?? process.execPath);
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const ino = file === undefined ? undefined : (await stat(file)).ino;
    const { read } = prototype;
    let changes = 0;
    let changed: Promise<unknown> | undefined;
    vi.spyOn(prototype, 'read').mockImplementation(async function (this: FileHandle, ...given: unknown[]) {
      const bytes = await Reflect.apply(read, this, given);
      if (changes < times && (ino === undefined || (await this.stat()).ino === ino)) {
        changes += 1;
        changed = change();
      }
      await changed;
      return bytes;
    });
  }

  it.each<{ how: string; change: (file: string, home: string) => Promise<unknown>; why?: string }>([
    // The file is read to its end before, and nobody reads it again for a day.
    { how: 'is written after it was read', change: (file) => writeFile(file, '[]') },
    { how: 'grows', change: (file) => appendFile(file, ' ') },
    { how: 'is emptied', change: (file) => truncate(file) },
    {
      how: 'is written, with its old time',
      change: async (file) => {
        const { atime, mtime } = await stat(file);
        await writeFile(file, '[]');
        await utimes(file, atime, mtime);
      },
    },
    {
      how: 'is replaced by another file',
      change: async (file, home) => {
        await writeFile(path.join(home, 'other'), '[]');
        await rename(path.join(home, 'other'), file);
      },
    },
    {
      how: 'comes to lie in another folder of its name',
      change: async (file, home) => {
        await rename(folderOf(file), path.join(home, 'before'));
        await write(file, '[]');
      },
    },
    {
      how: 'becomes a link to a file elsewhere of the same content',
      change: async (file, home) => {
        await rename(file, path.join(home, 'moved'));
        await symlink(path.join(home, 'moved'), file);
      },
      why: 'a symbolic link that leads out of its folder',
    },
  ])('a file that $how is named', async ({ change, why = 'changed during the check' }) => {
    const { home, place, sums } = await installed();
    const file = path.join(home, NAME);
    await duringRead(() => change(file, home), file);
    const report = await verifyInstall(place, sums);
    expect(report).toMatchObject({ ok: false, ...NOTHING, unreadable: { [NAME]: why } });
    expect(report.found).not.toBe(report.expected);
  });

  it('a file that gets a pipe in its place is named, and nobody waits for a writer', async () => {
    for (const name of [NAME, `${EXPRESS}/package.json`]) {
      const { home, place, sums } = await installed();
      await duringRead(async () => {
        await rm(path.join(home, name));
        execFileSync('mkfifo', [path.join(home, name)]);
      });
      const report = await verifyInstall(place, sums);
      expect(report).toMatchObject({ ok: false, unreadable: { [name]: 'neither a file nor a folder' } });
      vi.restoreAllMocks();
    }
  });

  it('a file that grows without an end is given up', async () => {
    const { home, place, sums } = await installed();
    const file = path.join(home, NAME);
    await duringRead(() => appendFile(file, 'more'), file, Number.POSITIVE_INFINITY);
    expect((await verifyInstall(place, sums)).unreadable).toEqual({ [NAME]: 'changed during the check' });
  });

  it('a file that comes is named, and one that goes while it is read is missing', async () => {
    const come = await installed();
    await duringRead(() => write(path.join(come.home, EXPRESS, 'planted.js'), ''));
    expect((await verifyInstall(come.place, come.sums)).unreadable).toEqual({
      [`${EXPRESS}/planted.js`]: 'changed during the check',
    });
    vi.restoreAllMocks();

    const gone = await installed();
    const file = path.join(gone.home, NAME);
    await duringRead(() => rm(file), file);
    await expectFound(gone, { missing: [NAME] });
  });

  it('no manifest is written of files that change', async () => {
    const { home, place } = await installed();
    const file = path.join(home, NAME);
    await duringRead(() => writeFile(file, '[]'), file);
    await expect(sumInstall(place)).rejects.toThrow(`No manifest: "${NAME}" is changed during the check.`);
    vi.restoreAllMocks();
    await duringRead(() => rm(file), file);
    await expect(sumInstall(place)).rejects.toThrow(`No manifest: "${NAME}" is changed during the check.`);
  });

  it('a file that has the same content all the time matches', async () => {
    const { home, place, sums } = await installed();
    const file = path.join(home, NAME);
    await duringRead(async () => {
      await link(file, path.join(home, 'a second link'));
      await writeFile(file, await readFile(file));
    }, file);
    expect(await verifyInstall(place, sums)).toMatchObject({ ok: true, ...NOTHING });
  });
});

it('an unreadable file and an unreadable folder are named', async () => {
  const written = await installed();
  await chmod(path.join(written.home, EXPRESS, 'index.js'), 0);
  await chmod(path.join(written.home, 'games/first/frontend/assets'), 0);
  const report = await asNobody(() => verifyInstall(written.place, written.sums));
  expect(report).toMatchObject({ ok: false, ...NOTHING, unreadable: expect.anything() });
  expect(report.unreadable).toEqual({
    [`${EXPRESS}/index.js`]: 'unreadable (EACCES)',
    'games/first/frontend/assets': 'EACCES',
    'games/first/frontend/assets/Ünïcode.js': 'unreadable (EACCES)',
  });
});

it('what is no file, and names that no manifest can hold, are named and not read', async () => {
  const written = await installed();
  execFileSync('mkfifo', [path.join(written.home, EXPRESS, 'pipe')]);
  await write(path.join(written.home, EXPRESS, 'line\nend'), '');
  await write(path.join(written.home, EXPRESS, 'quoted".js'), '');
  // The name is not in UTF-8.
  execFileSync('sh', ['-c', `touch "$(printf 'latin-\\374')"`], { cwd: path.join(written.home, EXPRESS) });
  const unnamed = 'a name that a manifest cannot hold';
  await expectFound(written, {
    unreadable: {
      [`${EXPRESS}/line\nend`]: unnamed,
      [`${EXPRESS}/pipe`]: 'neither a file nor a folder',
      [`${EXPRESS}/quoted".js`]: unnamed,
      [`${EXPRESS}/latin-\uFFFD`]: unnamed,
    },
  });
});

it('a dependency that is found above the installation is refused for a manifest, and extra in a check', async () => {
  const written = await installed();
  await rename(path.join(written.home, 'install/node_modules/qs'), path.join(written.home, 'install/qs-of-before'));
  await write(path.join(written.home, 'node_modules/qs/index.js'), '');
  const report = await verifyInstall(written.place, written.sums);
  expect(report.extra).toEqual(['install/../node_modules/qs/index.js']);
  await expect(sumInstall(written.place)).rejects.toThrow(
    'install/../node_modules/qs/index.js lies outside of the installation.',
  );
});

it('a large file is hashed in pieces', async () => {
  const { home, place } = await installed();
  const megabytes = 64;
  await write(path.join(home, 'games/first/math/books_base.jsonl.zst'), Buffer.alloc(megabytes * 1_000_000, 'book '));
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }, 1);
  const { sums } = await sumInstall(place);
  clearInterval(watch);
  const printed = execFileSync('sha256sum', [path.join(home, 'games/first/math/books_base.jsonl.zst')], {
    encoding: 'utf8',
  });
  expect(sums.get('games/first/math/books_base.jsonl.zst')).toBe(printed.slice(0, 64));
  expect(most).toBeLessThan(8_000_000);
});

/** Root may read everything, so the work runs as nobody. */
async function asNobody<Value>(work: () => Promise<Value>): Promise<Value> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

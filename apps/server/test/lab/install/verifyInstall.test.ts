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
import { type InstallReport, sumInstall, verifyInstall } from '../../../src/lab/install/installReport.ts';
import type { Sums } from '../../../src/lab/install/manifest.ts';
import { temporaryFolder } from '../../support/roundhouse.ts';
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
    // For pnpm it has the links as well.
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
    const by = fc.integer({ min: 1, max: 255 });
    const added = fc.constantFrom('.hidden', 'new.js', 'deep/er/new.js', 'deep/node_modules/express/index.js');
    const edit = fc.oneof(
      fc.record({ kind: fc.constant('byte' as const), file, at: fc.nat(), by }),
      fc.record({ kind: fc.constant('append' as const), file }),
      fc.record({ kind: fc.constant('remove' as const), file }),
      fc.record({ kind: fc.constant('add' as const), folder: fc.constantFrom(...folders), name: added }),
    );
    const place = placeIn(home, 'install/node_modules/roundhouse');
    const property = fc.asyncProperty(edit, async (change) => {
      if (change.kind === 'add') {
        const [first = ''] = change.name.split('/');
        await write(path.join(home, change.folder, change.name), 'new');
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
        const at = change.at % before.length;
        await writeFile(target, before.with(at, ((before[at] ?? 0) + change.by) % 256));
      }
      const { ok, changed, missing, extra } = await verifyInstall(place, sums);
      await writeFile(target, before);
      expect({ ok, extra }).toEqual({ ok: false, extra: [] });
      expect(change.kind === 'remove' ? missing : changed).toContain(change.file);
      // A file has a second name only if pnpm links it.
      expect(new Set([...changed, ...missing].map((name) => sums.get(name))).size).toBe(1);
    });
    await fc.assert(property, { numRuns: EDITS });
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

  it('that were changed, added or removed are named', async () => {
    const { host, written } = await included();
    const names = [...written.sums.keys()].filter((name) => name.startsWith('host/'));
    expect(names.sort()).toEqual([`host${host}/conf//deep/b.conf`, `host${host}/roundhouse.env`]);
    expect(await verifyInstall(written.place, written.sums)).toMatchObject({ ok: true, ...NOTHING });
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
    const { place } = await installed();
    const file = path.join(await temporaryFolder('host'), name);
    if (name === 'empty') await mkdir(file);
    const refusal = `No manifest: "host${file}" is ${why}.`;
    await expect(sumInstall({ ...place, included: [file] })).rejects.toThrow(refusal);
  });
});

describe('symbolic links', () => {
  it('to a file of the same package are hashed as that file', async () => {
    const { home, place } = await installed();
    const target = path.join(home, EXPRESS, 'link.js');
    await symlink('index.js', target);
    const { sums } = await sumInstall(place);
    expect(sums.get(`${EXPRESS}/link.js`)).toBe(sums.get(`${EXPRESS}/index.js`));
    await rm(target);
    await symlink('package.json', target);
    await expectFound({ home, place, sums }, { changed: [`${EXPRESS}/link.js`] });
  });

  const OUTSIDE = 'a symbolic link that leads out of its folder';
  it.each([
    ['out of the package', 'link.js', '../../../games/first/game.json', OUTSIDE],
    ['in the place of a file', 'index.js', '../moved.js', OUTSIDE],
    ['to a folder', 'link.js', 'lib', 'a symbolic link to a folder'],
    ['nowhere', 'link.js', 'nothing', 'a symbolic link that leads nowhere (ENOENT)'],
    ['to itself', 'link.js', 'link.js', 'a symbolic link that leads nowhere (ELOOP)'],
  ])('%s are reported, also where the content is the same, and no manifest is written', async (_, name, to, why) => {
    const written = await installed();
    const link = path.join(written.home, EXPRESS, name);
    if (name === 'index.js') await rename(link, path.join(path.dirname(link), to));
    await symlink(to, link);
    await expectFound(written, { unreadable: { [`${EXPRESS}/${name}`]: why } });
    await expect(sumInstall(written.place)).rejects.toThrow(`No manifest: "${EXPRESS}/${name}" is ${why}.`);
  });

  it.each([
    'games/first/game.json',
    'games/first/math',
    'games/first/math/index.json',
    'games/first/frontend/assets/Ünïcode.js',
  ])('in the place of %s are reported, wherever they lead', async (name) => {
    const written = await installed();
    const file = path.join(written.home, name);
    await rename(file, path.join(written.home, 'moved'));
    await symlink(path.join(written.home, 'moved'), file);
    const report = await verifyInstall(written.place, written.sums);
    expect(report).toMatchObject({ ok: false, unreadable: { [name]: 'a symbolic link in a game' } });
    await expect(sumInstall(written.place)).rejects.toThrow(`No manifest: "${name}" is a symbolic link in a game.`);
  });

  it('to the folders of the installation and of a game change nothing', async () => {
    const { home, sums } = await installed();
    const elsewhere = await temporaryFolder('linked');
    await mkdir(path.join(elsewhere, 'games'));
    for (const name of ['install', 'node', 'games/first', 'games/second'])
      await symlink(path.join(home, name), path.join(elsewhere, name));
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

  /**
   * Calls `change` within this number of reads of that file, or of the first one: no other read
   * goes on meanwhile.
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

  const UNSTABLE = { unreadable: { [NAME]: 'changed during the check' } };
  const moveAway = (from: string, home: string) => rename(from, path.join(home, 'moved'));
  it.each<
    [how: string, change: (file: string, home: string) => Promise<unknown>, Partial<Differences>?, times?: number]
  >([
    // The file is read to its end before, and nobody reads it again for a day.
    ['is written after it was read', (file) => writeFile(file, '[]')],
    ['grows', (file) => appendFile(file, ' ')],
    ['grows without an end', (file) => appendFile(file, 'more'), UNSTABLE, Number.POSITIVE_INFINITY],
    ['is emptied', (file) => truncate(file)],
    [
      'is written, with its old time',
      async (file) => {
        const { atime, mtime } = await stat(file);
        await writeFile(file, '[]');
        await utimes(file, atime, mtime);
      },
    ],
    [
      'is replaced by another file',
      (file, home) => write(path.join(home, 'new'), '[]').then(() => rename(path.join(home, 'new'), file)),
    ],
    [
      'comes to lie in another folder of its name',
      (file, home) => moveAway(path.dirname(file), home).then(() => write(file, '[]')),
    ],
    [
      'becomes a link to a file elsewhere of the same content',
      (file, home) => moveAway(file, home).then(() => symlink(path.join(home, 'moved'), file)),
      { unreadable: { [NAME]: 'a symbolic link in a game' } },
    ],
    ['goes', (file) => rm(file), { missing: [NAME] }],
  ])('a file that %s is named, and is in no manifest', async (_, change, differences = UNSTABLE, times = 1) => {
    const written = await installed();
    const file = path.join(written.home, NAME);
    await duringRead(() => change(file, written.home), file, times);
    await expectFound(written, differences);
    vi.restoreAllMocks();
    const { home, place } = await installed();
    const other = path.join(home, NAME);
    await duringRead(() => change(other, home), other, times);
    const why = differences.unreadable?.[NAME] ?? 'changed during the check';
    await expect(sumInstall(place)).rejects.toThrow(`No manifest: "${NAME}" is ${why}.`);
  });

  it.each([NAME, `${EXPRESS}/package.json`])('%s gets a pipe in its place: nobody waits for a writer', async (name) => {
    const { home, place, sums } = await installed();
    await duringRead(async () => {
      await rm(path.join(home, name));
      execFileSync('mkfifo', [path.join(home, name)]);
    });
    const report = await verifyInstall(place, sums);
    expect(report).toMatchObject({ ok: false, unreadable: { [name]: 'neither a file nor a folder' } });
  });

  it('a file that comes is named', async () => {
    const { home, place, sums } = await installed();
    const name = `${EXPRESS}/planted.js`;
    await duringRead(() => write(path.join(home, name), ''));
    expect((await verifyInstall(place, sums)).unreadable).toEqual({ [name]: 'changed during the check' });
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
  const { ok, changed, missing, extra, unreadable } = report;
  const assets = 'games/first/frontend/assets';
  const unread = { [`${EXPRESS}/index.js`]: 'unreadable (EACCES)', [`${assets}/Ünïcode.js`]: 'unreadable (EACCES)' };
  const expected = { ok: false, ...NOTHING, unreadable: { ...unread, [assets]: 'EACCES' } };
  expect({ ok, changed, missing, extra, unreadable }).toEqual(expected);
});

it('what is not a file, and names that no manifest can hold, are named and not read', async () => {
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
  const name = 'games/first/math/books_base.jsonl.zst';
  await write(path.join(home, name), Buffer.alloc(64_000_000, 'book '));
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }, 1);
  const { sums } = await sumInstall(place);
  clearInterval(watch);
  const printed = execFileSync('sha256sum', [name], { cwd: home, encoding: 'utf8' });
  expect(sums.get(name)).toBe(printed.slice(0, 64));
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

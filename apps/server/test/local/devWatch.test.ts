import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publishMath } from '@roundhouse/math';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { call, liveSession } from '../support/rgsCalls.ts';
import { type Dev, startDev, stop, succeed, temporaryFolder } from '../support/roundhouse.ts';
import { clientOf } from '../support/testServer.ts';
import { gameFileOf } from '../support/writeStudioFolder.ts';

const UNIT = 1_000_000;
const WIN = 1;

let folder: string;
let table: string;
let dataFolder: string;
let options: { env: { DATABASE_URL: string } };
let dev: Dev;

/** Half of the plays win, so a win of 190 makes an RTP of 95 %. */
async function publish(win: number): Promise<void> {
  const books = [0, win].map((payoutMultiplier, id) => {
    return { id, payoutMultiplier, weight: 1, events: [{ index: 0, type: 'win', payoutMultiplier }] };
  });
  await publishMath(path.join(folder, 'math'), [{ name: 'base', cost: 1, books }]);
}

async function writeGameFile(more: object = {}): Promise<void> {
  await writeFile(path.join(folder, 'game.json'), JSON.stringify({ ...gameFileOf({ id: 'live' }), ...more }));
}

/** Returns the round of a play that wins. */
async function win(sessionID: string) {
  return (await clientOf(dev.url).playBook(sessionID, WIN)).body.round;
}

/** Returns the version of a new session, by its launch URL. */
async function currentVersion(): Promise<string> {
  const { url } = await call(dev.url, '/session/start', {});
  return new URL(url).pathname.split('/')[2] ?? '';
}

beforeAll(async () => {
  folder = path.join(await temporaryFolder('watched'), 'live');
  table = path.join(folder, 'math', 'lookUpTable_base_0.csv');
  await mkdir(folder);
  await publish(190);
  await writeGameFile();
  dataFolder = await temporaryFolder('watch data');
  options = { env: { DATABASE_URL: (await createTestDatabase()).url } };
  dev = await startDev(dataFolder, [folder, '--watch'], options);
});

describe('roundhouse dev --watch', () => {
  it('serves changed math as a new version, and sessions stay on theirs', async () => {
    const first = await currentVersion();
    expect(dev.output()).toContain(`live: live, version ${first}\n`);
    const sessionID = await liveSession(dev.url, { token: 'patient' });
    const round = await win(sessionID);

    await publish(180);
    const [, version] = await dev.waitFor(
      /^live: live, version (\S+), served after \d+\.\d s\n {2}RTP {5}BASE 90\.000 % \(was 95\.000 %\)$/m,
    );
    expect(dev.output()).toMatch(/^ {2}changed lookUpTable_base_0\.csv, books_base\.jsonl\.zst$/m);
    expect(version).not.toBe(first);
    expect(await currentVersion()).toBe(version);

    const relaunched = await liveSession(dev.url, { token: 'patient' });
    expect((await call(dev.url, '/wallet/authenticate', { sessionID: relaunched })).round).toEqual(round);
    await call(dev.url, '/wallet/end-round', { sessionID });
    expect((await win(sessionID)).payout).toBe(1.9 * UNIT);
    await call(dev.url, '/wallet/end-round', { sessionID });
    expect((await win(relaunched)).payout).toBe(1.8 * UNIT);
    await call(dev.url, '/wallet/end-round', { sessionID: relaunched });
  });

  it('serves a changed game.json as a new version of the same math', async () => {
    await writeGameFile({ title: 'Renamed' });
    await dev.waitFor(
      /^Renamed: live, version \S+, served after .*\n {2}RTP {5}BASE 90\.000 %\n {2}changed game\.json$/m,
    );
  });

  it('refuses math that fails verification with file and line, and serves the last good version', async () => {
    const version = await currentVersion();
    const right = await readFile(table, 'utf8');
    await writeFile(table, right.replace('1,1,180', '1,minus one,180'));
    await dev.waitFor(
      new RegExp(
        `^lookUpTable_base_0\\.csv:2: [^]*^The change is refused: live, version ${version}, stays served\\.$`,
        'm',
      ),
    );
    expect(await currentVersion()).toBe(version);
    await writeFile(table, right);
    await dev.waitFor(new RegExp(`^Renamed: live, version ${version} is served again$`, 'm'));
  });

  it('says in one line that the folder is gone, and serves it again when it is back', async () => {
    const version = await currentVersion();
    await rename(folder, `${folder} away`);
    await dev.waitFor(
      new RegExp(`^The folder ${folder} is not there: live, version ${version}, stays served\\.$`, 'm'),
    );
    expect(await currentVersion()).toBe(version);
    await publish(170);
    await writeGameFile();
    await dev.waitFor(/^ {2}RTP {5}BASE 85\.000 % \(was 90\.000 %\)$/m);
    await rm(`${folder} away`, { recursive: true });
  });

  it('returns to an earlier version when its content is back', async () => {
    await publish(190);
    const [, version] = await dev.waitFor(
      /version (\S+), served after .*\n {2}RTP {5}BASE 95\.000 % \(was 85\.000 %\)$/m,
    );
    expect(dev.output()).toContain(`live: live, version ${version}\n  modes`);
  });

  it('ends in order', async () => {
    await stop(dev);
    expect(await succeed(['books-balance'], options)).toMatch(/^The books balance/);
  });
});

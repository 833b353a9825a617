import { DEVICES, LANGUAGES, parseLaunchUrl } from '@roundhouse/contract';
import { describe, expect, test } from 'vitest';
import { checkedClient, useCheckedServer } from '../support/checkedServer.ts';
import { createStoreFolder, startServing } from '../support/servingNode.ts';
import { gameFileOf, writeStudioFolder } from '../support/writeStudioFolder.ts';

const server = useCheckedServer();

async function launch(options: Record<string, unknown> = {}): Promise<URL> {
  const { body } = await server.post('/session/start', options);
  return new URL(body.url);
}

describe('1. Game launch URL', () => {
  test('the game is loaded from {game_host}/<game_id>/<game_version>/index.html', async () => {
    const url = await launch();
    expect(url.origin).toBe(server.url);
    expect(url.pathname).toBe('/fixture/1.0.0/index.html');
    const page = await server.send(url.pathname + url.search);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).toContain('<html');
  });

  test("a game's own front end is loaded from the same path, where there is no page for local work", async () => {
    const store = await createStoreFolder();
    const page = '<!doctype html><title>Own front end</title>';
    const game = await writeStudioFolder({
      name: 'own',
      books: [{ id: 1, payoutMultiplier: 0, events: '[{"index":0}]' }],
      gameFile: gameFileOf({ id: 'own-page', version: '2.1' }),
      page,
    });
    const node = await startServing(server, { folders: [game.folder], storeFolder: store.folder, local: false });
    const loaded = await node.send(
      '/own-page/2.1/index.html?sessionID=s&lang=en&device=mobile&rgs_url=rgs.example.com',
    );
    expect(loaded.status).toBe(200);
    expect(loaded.text).toBe(page);
    await node.close();
    await game.remove();
    await store.remove();
  });

  test('row sessionID: the unique identifier of the player, required for all requests that the game makes', async () => {
    const first = (await launch()).searchParams.get('sessionID');
    const second = (await launch()).searchParams.get('sessionID');
    expect(first).toBeTruthy();
    expect(second).not.toBe(first);
    expect((await server.post('/wallet/authenticate', { sessionID: first })).status).toBe(200);
    expect((await server.post('/wallet/authenticate', {})).body.error).toBe('ERR_VAL');
  });

  test.each(Object.keys(LANGUAGES))('row lang: %s is carried as an ISO 639-1 code', async (language) => {
    const url = await launch({ language });
    expect(url.searchParams.get('lang')).toBe(language);
    expect(parseLaunchUrl(url.href)).toMatchObject({ kind: 'play', language });
  });

  test('row lang: the supported values are the sixteen of the document', () => {
    expect(Object.entries(LANGUAGES).map(([code, { name }]) => `${code} (${name})`)).toEqual(
      'ar (Arabic), de (German), en (English), es (Spanish), fi (Finnish), fr (French), hi (Hindi), id (Indonesian), ja (Japanese), ko (Korean), pl (Polish), pt (Portuguese), ru (Russian), tr (Turkish), vi (Vietnamese), zh (Chinese)'.split(
        ', ',
      ),
    );
  });

  test('row device: mobile or desktop', async () => {
    expect(DEVICES).toEqual(['mobile', 'desktop']);
    for (const device of DEVICES) {
      const url = await launch({ device });
      expect(url.searchParams.get('device')).toBe(device);
      expect(parseLaunchUrl(url.href)).toMatchObject({ kind: 'play', device });
    }
  });

  test('row rgs_url: what the URL says is where the game authenticates, bets and completes rounds', async () => {
    const read = parseLaunchUrl((await launch()).href);
    if (read.kind !== 'play') throw new Error('not a launch URL for play');
    expect(read).toMatchObject({ gameID: 'fixture', gameVersion: '1.0.0', gameHost: server.url });
    const game = checkedClient(read.rgsUrl);
    const { sessionID } = read;
    const answers = [
      await game.post('/wallet/authenticate', { sessionID }),
      await game.post('/wallet/play', { sessionID, amount: 1_000_000, mode: 'BASE' }),
      await game.post('/wallet/end-round', { sessionID }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('row rgs_url: it changes from launch to launch', async () => {
    const node = await server.startNode();
    const moved = await checkedClient(node.url).post('/session/start', {});
    const read = parseLaunchUrl(moved.body.url);
    expect(read).toMatchObject({ kind: 'play', rgsUrl: node.url });
    expect(parseLaunchUrl((await launch()).href)).toMatchObject({ rgsUrl: server.url });
    await node.close();
  });
});

import { parseLaunchUrl } from '@roundhouse/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkedClient, useCheckedServer } from '../support/checkedServer.ts';
import { serveWritten } from '../support/servingNode.ts';
import { gameFileOf, writeStudioFolder } from '../support/writeStudioFolder.ts';

const server = useCheckedServer();

async function launch(options: Record<string, unknown> = {}): Promise<URL> {
  const { status, body } = await server.post('/session/start', options);
  expect(status).toBe(200);
  return new URL(body.url);
}

describe('the launch URL', () => {
  it('leads to {game_host}/<game_id>/<game_version>/index.html', async () => {
    const url = await launch();
    expect(url.origin).toBe(server.url);
    expect(url.pathname).toBe('/fixture/1.0.0/index.html');
    const page = await server.send(url.pathname + url.search);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).toContain('<html');
  });

  it("leads to a game's own front end, also in production", async () => {
    const page = '<!doctype html><title>Own front end</title>';
    const books = [{ id: 1, payoutMultiplier: 0, events: '[{"index":0}]' }];
    const gameFile = gameFileOf({ id: 'own-page', version: '2.1' });
    const node = await serveWritten(server, [await writeStudioFolder({ name: 'own', books, gameFile, page })], {
      local: false,
    });
    onTestFinished(node.close);
    const query = '?sessionID=s&lang=en&device=mobile&rgs_url=rgs.example.com';
    expect(await node.send(`/own-page/2.1/index.html${query}`)).toMatchObject({ status: 200, text: page });
  });

  it('carries sessionID, lang, device, rgs_url and currency, and social when it is on', async () => {
    const plain = await launch({ currency: 'XSC' });
    expect([...plain.searchParams.keys()].sort()).toEqual(['currency', 'device', 'lang', 'rgs_url', 'sessionID']);
    const social = await launch({ currency: 'XGC', social: true });
    expect(parseLaunchUrl(social.href)).toMatchObject({ kind: 'play', currency: 'XGC', social: true });
  });

  it.each([
    [{ language: 'fi', device: 'mobile' }, 'fi', 'mobile'],
    [{ language: 'pt-BR', device: 'desktop' }, 'pt', 'desktop'],
    [{ language: 'xx', device: 'tv' }, 'en', 'desktop'],
  ])('carries %j as lang %s and device %s', async (options, lang, device) => {
    const { searchParams } = await launch(options);
    expect([searchParams.get('lang'), searchParams.get('device')]).toEqual([lang, device]);
  });

  it('carries as rgs_url the host and port of the node that issued it, where the game plays', async () => {
    const node = await server.startNode();
    for (const url of [server.url, node.url]) {
      const { body } = await checkedClient(url).post('/session/start', {});
      expect(new URL(body.url).searchParams.get('rgs_url')).toBe(new URL(url).host);
      const read = parseLaunchUrl(body.url);
      if (read.kind !== 'play') throw new Error('not a launch URL for play');
      expect(read).toMatchObject({ gameID: 'fixture', gameVersion: '1.0.0', rgsUrl: url });
      const game = checkedClient(read.rgsUrl);
      const { sessionID } = read;
      expect((await game.post('/wallet/authenticate', { sessionID })).status).toBe(200);
      expect((await game.post('/wallet/play', { sessionID, amount: 1_000_000, mode: 'BASE' })).status).toBe(200);
    }
    await node.close();
  });
});

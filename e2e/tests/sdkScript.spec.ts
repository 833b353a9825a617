import { fileURLToPath } from 'node:url';
import { expect, test } from '../support/test.ts';

const SCRIPT = fileURLToPath(new URL('../../packages/sdk/dist/roundhouse.js', import.meta.url));
const UNIT = 1_000_000;

declare global {
  // biome-ignore lint/suspicious/noExplicitAny: the page has the script only, and no types
  var Roundhouse: any;
}

test('the SDK as a plain script plays a round in an empty page', async ({ page, server }) => {
  const { url, sessionID } = await server.startSession();
  await page.route(`${server.origin}/empty-page*`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Empty</title><link rel="icon" href="data:,">',
    }),
  );
  await page.goto(`${server.origin}/empty-page${new URL(url).search}`);
  await page.addScriptTag({ path: SCRIPT });
  const seen = await page.evaluate(async () => {
    const client = Roundhouse.createClient({ url: location.href });
    const { config, balance } = await client.authenticate();
    const { round } = await client.play({ amount: config.defaultBetLevel, mode: 'BASE' });
    const types: string[] = [];
    const handler = (event: { type: string }) => void types.push(event.type);
    const handlers = Object.fromEntries(round.state.map((event: { type: string }) => [event.type, handler]));
    await Roundhouse.createEventPlayer(handlers, { pace: 'instant' }).play(round.state);
    const ended = round.active ? await client.endRound() : { balance: client.state.balance };
    const text = Roundhouse.formatAmount(ended.balance.amount, ended.balance.currency, { language: 'en' });
    client.close();
    return { opening: balance.amount, round, types, closing: ended.balance.amount, text };
  });
  expect(seen.opening).toBe(1000 * UNIT);
  expect(seen.types).toEqual(seen.round.state.map(({ type }: { type: string }) => type));
  expect(seen.closing).toBe(1000 * UNIT - UNIT + seen.round.payout);
  expect(await server.balanceOf(sessionID)).toBe(seen.closing);
  expect(seen.text).toBe(
    new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }).format(seen.closing / UNIT),
  );
});

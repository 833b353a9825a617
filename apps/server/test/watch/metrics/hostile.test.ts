import { expect, it } from 'vitest';
import { useSeamlessServer } from '../../support/seamlessServer.ts';
import { BET } from '../../support/testServer.ts';
import { readSamples } from './samples.ts';

const server = useSeamlessServer();

/** Sends `text` in every place where a client may choose one. */
async function attack(text: string, sessionID: string): Promise<void> {
  const headers = {
    'X-Request-Id': text,
    'Idempotency-Key': text,
    'User-Agent': text,
    Traceparent: `00-${text}-${text}-01`,
    'X-Roundhouse-Operator': text,
    Authorization: text,
  };
  const play = { sessionID, ...BET };
  await server.post('/wallet/play', { ...play, mode: text }, headers);
  await server.post('/wallet/play', { ...play, grantID: text }, headers);
  for (const named of [text, `${text}:1`, `acme:${text}`, `house:${text}`]) {
    await server.post('/wallet/authenticate', { sessionID: named, clientVersion: text }, headers);
    await server.post('/wallet/play', { ...BET, sessionID: named, mode: text }, headers);
  }
  await server.post('/wallet/play', { ...play, [text]: text }, headers);
  await server.post('/bet/event', { sessionID, event: text }, headers);
  await server.post('/demo/play', { game: text, version: text, currency: text, ...BET, mode: text }, headers);
  for (const path of [
    `/${text}`,
    `/wallet/${text}`,
    `/${text}/1.0.0/index.html`,
    `/bet/replay/${text}/1.0.0/BASE/1`,
    `/bet/replay/fixture/${text}/${text}/${text}`,
    `/operator/${text}`,
    `/operator/rounds/${text}`,
    `/dialects/${text}/${text}`,
    `/launch/${text}`,
    `/metrics?${text}=${text}`,
  ]) {
    await server.send(path, { headers });
    await server.send(path, { headers, method: 'POST', body: JSON.stringify({ [text]: text }) });
  }
  for (const method of ['PUT', 'DELETE', 'PATCH']) await server.send('/wallet/play', { headers, method });
}

it('no text of a client becomes a label, and other texts make no further series', async () => {
  const sessionID = await server.liveSession();
  await server.play(sessionID);
  await attack('hostile1', sessionID);
  const after = new Set((await readSamples(server.url)).keys());
  await attack('hostile2', sessionID);
  const names = [...(await readSamples(server.url)).keys()];
  expect(names.filter((name) => /hostile/i.test(name))).toEqual([]);
  expect(names.filter((name) => !after.has(name))).toEqual([]);
  expect(names).toContain('roundhouse_plays_total{game="fixture",mode="unknown",result="bet_refused"}');
});

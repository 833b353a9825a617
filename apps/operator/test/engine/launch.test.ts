import { verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { KEYS, useEngineOperator } from '../support/engineOperator.ts';
import { respondWell } from '../support/fakeRgs.ts';

const operator = useEngineOperator();
const GAME_URL = '/dialects/lobby/game/url';
const LAUNCH = { playerID: 'ann', gameID: '7_slot', currency: 'EUR', lang: 'de', device: 'mobile' };

async function launch() {
  await operator.api('POST', '/players', { playerID: 'ann', currency: 'EUR' });
  return operator.api('POST', '/launch', LAUNCH);
}

it('asks for the URL of a launch with a signature and a token that the wallet knows', async () => {
  operator.rgs.respond = () => ({ status: 200, body: { url: 'https://rgs.example/play', fair: false } });
  expect(await launch()).toMatchObject({ status: 200, body: { url: 'https://rgs.example/play' } });
  const { path, body, text, headers } = operator.rgs.requests.at(-1) ?? expect.unreachable();
  const { token } = body;
  const fields = { game: '7_slot', user: 'ann', currency: 'EUR', language: 'de', device: 'mobile', tag: 'real' };
  expect({ path, body }).toEqual({ path: GAME_URL, body: { ...fields, token } });
  expect(headers['x-operator']).toBe('lobby');
  const signature = Buffer.from(String(headers['x-signature']), 'base64');
  expect(verify(null, Buffer.from(text), KEYS.operator.publicKey, signature)).toBe(true);
  const sessions = await operator.database.query('SELECT FROM sessions WHERE session_sha256 = sha256($1)', [token]);
  expect(sessions).toHaveLength(1);
});

it('shows the refusal of a launch, whose token the wallet then forgets', async () => {
  operator.rgs.respond = () => ({ status: 404, body: { code: 'ERR_BAD', message: 'there is no game' } });
  const response = await launch();
  expect(response).toEqual({ status: 404, body: { error: 'ERR_VAL', message: 'there is no game' } });
  const { token } = operator.rgs.requests.at(-1)?.body ?? expect.unreachable();
  const sessions = await operator.database.query('SELECT FROM sessions WHERE session_sha256 = sha256($1)', [token]);
  expect(sessions).toEqual([]);
  operator.rgs.respond = () => ({ status: 401, body: { code: 'ERR_ATE', message: 'X-Signature: is wrong' } });
  expect((await launch()).status).toBe(502);
});

it('the lobby has the games of the list, and no free rounds', async () => {
  const image = 'https://rgs.example/slot.png';
  operator.rgs.respond = () => ({ status: 200, body: [{ id: '7_slot', name: 'Slot', image, rtp: 0.96 }] });
  const { body } = await operator.api('GET', '/lobby');
  expect(body.games).toMatchObject([{ gameID: '7_slot', title: 'Slot', thumbnail: image }]);
  expect(body.currencies).toContain('EUR');
  const { path, text } = operator.rgs.requests.at(-1) ?? expect.unreachable();
  expect([path, text]).toEqual(['/dialects/lobby/game/list', '']);
  const grant = { ...{ playerID: 'ann', currency: 'EUR', gameID: '7_slot' }, mode: 'BASE', amount: 1 };
  expect((await operator.api('POST', '/bench/free-rounds', grant)).status).toBe(400);
  operator.rgs.respond = respondWell;
});

import { expect, it } from 'vitest';
import type { DialectServer } from '../dialect.ts';
import { receive } from './receive.ts';
import { connectionOf, settingsSchema } from './settings.ts';
import { signatureOf } from './signature.ts';

const ONE = { id: 'one', token: 'token-of-one' };
const TWO = { id: 'two', token: 'token-of-two', path: '/brand-two' };

const game = (gameID: string, levels: number[]) => ({
  ...{ gameID, version: '1', title: gameID, rtp: 0.96, currencies: [], languages: [], modes: [] },
  betLevels: { EUR: levels },
});
const asked: unknown[] = [];
const server: DialectServer = {
  identify: async () => ({ kind: 'not_sent', detail: 'its launches name the player' }),
  launch: async (launch) => {
    asked.push(launch);
    return launch.gameID === 'off'
      ? { ok: false, reason: 'amounts', detail: 'level 3' }
      : { ok: true, sessionID: 's', url: 'http://g/', isFair: false };
  },
  launchDemo: async (launch) => {
    asked.push(launch);
    return { ok: true, sessionID: '', url: 'http://demo/', isFair: false };
  },
  games: async () => [game('slot', [200_000, 1_000_000]), game('other', [300_000, 1_000_000])],
  roundPage: async () => undefined,
  freeRounds: async () => [],
  takeNonce: async () => true,
  takeTurn: async () => true,
  admitStranger: async () => {},
  giveFreeRounds: async (grant) => {
    asked.push(grant);
    const taken = { ok: false, reason: 'taken', detail: 'was used' } as const;
    return grant.grantID.endsWith('taken') ? taken : { ok: true };
  },
  cancelFreeRounds: async (grantID) => ({ ok: grantID.endsWith('known') }),
};

/** Sends a signed request of the casino `one`, and returns the response with its JSON. */
async function ask(
  rpc: string,
  content: object | string,
  more: { settings?: object; token?: string; signature?: string } = {},
) {
  asked.length = 0;
  const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify({ casino_id: 'one', ...content }));
  const signature = more.signature ?? signatureOf(body, more.token ?? 'casino-token');
  const request = { method: 'POST', path: `/v2/a8r_provider.${rpc}`, headers: { 'x-request-sign': signature }, body };
  const settings = settingsSchema.parse({ casinos: [{ ...ONE, token: 'casino-token' }], ...more.settings });
  const { body: text, ...response } = await receive(connectionOf(settings), request, server);
  return { ...response, json: JSON.parse(text) };
}
const account = { id: 'ann', currency: 'EUR', country: 'FI' };
const urls = { return_url: 'https://c/', deposit_url: 'https://c/pay' };
const real = { game: 'slot', locale: 'de', client_type: 'mobile', urls, session_id: 'SID', account };
const issue = {
  issue_id: 'i',
  games: ['slot'],
  freespins_quantity: 5,
  bet_level: 2,
  valid_until: '2030-01-01T00:00:00Z',
  account,
};
const two = { settings: { casinos: [ONE, TWO] } };

it('launches', async () => {
  const settings = { provider: 'studio', jurisdictions: { DE: { minimumRoundDuration: 5000 } } };
  const content = { ...real, game: 'studio:slot', jurisdiction: 'DE' };
  expect(await ask('Launcher/Real', content, { settings })).toEqual({
    status: 200,
    json: { launch_url: 'http://g/' },
  });
  const pages = { returnURL: 'https://c/', cashierURL: 'https://c/pay' };
  const place = { gameID: 'slot', language: 'de', device: 'mobile', ...pages };
  const jurisdiction = { minimumRoundDuration: 5000 };
  expect(asked).toEqual([{ ...place, jurisdiction, playerID: 'ann', currency: 'EUR', token: 'SID', country: 'FI' }]);
  expect(await ask('Launcher/Demo', { ...real, account: undefined })).toMatchObject({
    json: { launch_url: 'http://demo/' },
  });
  expect(asked).toEqual([{ ...place, jurisdiction: undefined, currency: 'EUR' }]);
});

it('names players and grants by their casino, when there are several', async () => {
  await ask('Launcher/Real', { ...real, casino_id: 'two' }, { ...two, token: 'token-of-two' });
  expect(asked).toMatchObject([{ playerID: 'two/ann' }]);
  await ask('Freespins/Issue', { ...issue, casino_id: 'one' }, { ...two, token: 'token-of-one' });
  expect(asked).toMatchObject([{ playerID: 'one/ann', grantID: 'one/i' }]);
});

it('gives free rounds at the level that it names', async () => {
  expect(await ask('Freespins/Issue', issue)).toEqual({ status: 200, json: {} });
  const terms = { gameIDs: ['slot'], bet: 1_000_000, rounds: 5, endsAt: new Date('2030-01-01') };
  expect(asked).toEqual([{ grantID: 'i', playerID: 'ann', currency: 'EUR', ...terms }]);
  await ask('Freespins/Issue', { ...issue, bet_level: 0 }, { settings: { firstBetLevel: 0 } });
  expect(asked).toMatchObject([{ bet: 200_000 }]);
  await ask('Freespins/Issue', { ...issue, games: ['slot', 'other'] });
  expect(asked).toMatchObject([{ bet: 1_000_000, gameIDs: ['slot', 'other'] }]);
  expect(await ask('Freespins/Cancel', { issue_id: 'known' })).toEqual({ status: 200, json: {} });
});

it.each<[rpc: string, content: object | string, status: number, code: string, apiCode: string]>([
  ['Launcher/Other', real, 404, 'bad_route', '404'],
  ['Launcher/Real', { ...real, session_id: undefined }, 400, 'invalid_argument', '400'],
  ['Launcher/Real', { ...real, session_id: 'a\u0000' }, 400, 'invalid_argument', '400'],
  ['Launcher/Real', { ...real, game: 7 }, 400, 'invalid_argument', '400'],
  ['Launcher/Real', { ...real, game: 'off' }, 400, 'invalid_argument', '154'],
  ['Launcher/Real', { ...real, account: { ...account, currency: 'UBTC' } }, 400, 'invalid_argument', '154'],
  ['Launcher/Real', { ...real, account: { ...account, id: '\ud800' } }, 400, 'invalid_argument', '101'],
  ['Freespins/Issue', { ...issue, issue_id: 'taken' }, 400, 'already_exists', '409'],
  ['Freespins/Issue', { ...issue, games: ['slot', 'none'] }, 400, 'invalid_argument', '601'],
  ['Freespins/Issue', { ...issue, bet_level: 3 }, 400, 'invalid_argument', '400'],
  ['Freespins/Issue', { ...issue, bet_level: 0 }, 400, 'invalid_argument', '400'],
  ['Freespins/Issue', { ...issue, bet_level: 1, games: ['slot', 'other'] }, 400, 'invalid_argument', '400'],
  ['Freespins/Issue', { ...issue, valid_until: 'soon' }, 400, 'invalid_argument', '400'],
  ['Freespins/Cancel', { issue_id: 'x' }, 400, 'not_found', '620'],
])('%s is refused: %j', async (rpc, content, status, code, apiCode) => {
  const response = await ask(rpc, content);
  expect(response).toMatchObject({ status, json: { code, meta: { api_code: apiCode } } });
  expect(response).not.toHaveProperty('refused');
});

it.each<[name: string, content: object | string, more: object, refused: string]>([
  ['another token', real, { token: 'other' }, 'signature'],
  ['no signature', real, { signature: '' }, 'signature'],
  ['the token of another casino', { ...real, casino_id: 'one' }, { ...two, token: 'token-of-two' }, 'signature'],
  ['an unknown casino', { ...real, casino_id: 'three' }, {}, 'partner'],
  ['no casino', { ...real, casino_id: undefined }, {}, 'partner'],
  ['no JSON', '{', {}, 'partner'],
  ['null', 'null', {}, 'partner'],
])('with %s is denied, and staff are told', async (_, content, more, refused) => {
  const denied = { code: 'permission_denied', meta: { api_code: '403' } };
  expect(await ask('Launcher/Real', content, more)).toMatchObject({ status: 403, refused, json: denied });
  expect(asked).toEqual([]);
});

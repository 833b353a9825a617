import { describe, expect, it } from 'vitest';
import { startSessionRequestSchema } from './dev.ts';
import {
  createCampaignRequestSchema,
  giveGrantsRequestSchema,
  listGrantsQuerySchema,
} from './operator/freeRoundSchemas.ts';
import {
  createSessionRequestSchema,
  endSessionsRequestSchema,
  listRoundsQuerySchema,
} from './operator/operatorSchemas.ts';
import { walletAuthenticateResponseSchema } from './operator/walletSchemas.ts';
import { isPlainText, visibleText } from './plainText.ts';

const HIDDEN = [
  '\u0000',
  '\n',
  '\r',
  '\u001b[31m',
  '\u007f',
  '\u009b',
  '\u2028',
  '\u2029',
  '\u200f',
  '\u202e',
  '\u2067',
  '\u061c',
];

describe('isPlainText', () => {
  it.each(['', 'player-7', 'Ñandú 😀', 'a b', '漢', '\u200d'])('takes %j', (text) =>
    expect(isPlainText(text)).toBe(true),
  );
  it.each([...HIDDEN, '\ud83d'])('refuses %j', (text) => expect(isPlainText(`a${text}b`)).toBe(false));
});

describe('visibleText', () => {
  it.each(HIDDEN)('shows what %j hides', (text) => {
    const shown = visibleText(`a${text}b`);
    expect(isPlainText(shown)).toBe(true);
    // It stands for the same text in JSON.
    expect(JSON.parse(`"${shown}"`)).toBe(`a${text}b`);
  });
  it('leaves any other text as it is', () => expect(visibleText('Ñandú "x" \\ 😀')).toBe('Ñandú "x" \\ 😀'));
});

const LAUNCH = { token: 't', gameID: 'g', currency: 'USD', lang: 'en', device: 'desktop' };
const terms = { gameIDs: ['g'], mode: 'BASE', bets: { USD: 1 }, rounds: 1, endsAt: '2030-01-01T00:00:00Z' };
const give = (grantID: string, playerID: string) => ({ terms, grants: [{ grantID, playerID, currency: 'USD' }] });

it.each([
  ['a launch', createSessionRequestSchema, (name: string) => ({ ...LAUNCH, playerID: name })],
  ['the player of a grant', giveGrantsRequestSchema, (name: string) => give('g', name)],
  ['a grantID', giveGrantsRequestSchema, (name: string) => give(name, 'p')],
  ['a campaignID', createCampaignRequestSchema, (name: string) => ({ ...terms, campaignID: name })],
  [
    'an answer of a wallet',
    walletAuthenticateResponseSchema,
    (name: string) => ({ playerID: name, currency: 'USD', balance: 0 }),
  ],
  ['a local session', startSessionRequestSchema, (name: string) => ({ token: name })],
])('%s brings no new name with hidden characters', (_what, schema, bodyOf) => {
  expect(schema.safeParse(bodyOf('player 7 – é')).success).toBe(true);
  for (const hidden of HIDDEN)
    expect(schema.safeParse(bodyOf(`a${hidden}b`)).success, JSON.stringify(hidden)).toBe(false);
});

it.each([endSessionsRequestSchema, listRoundsQuerySchema, listGrantsQuerySchema])(
  'who is stored can be named, whatever the name',
  (schema) => expect(schema.safeParse({ playerID: 'a\u001b\nb' }).success).toBe(true),
);

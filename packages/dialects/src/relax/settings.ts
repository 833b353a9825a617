import { currencySchema, parseHttpUrl, partialJurisdictionSchema } from '@roundhouse/contract';
import * as z from 'zod';
import { isSameText } from '../isSameText.ts';
import { walletCurrencies, walletCurrenciesSchema } from '../money.ts';

const GAME = '{game}';
/** The protocol writes cents in every currency. */
const DECIMALS = 2;

/** docs/dialects/relax.md explains each key. */
export const settingsSchema = z.strictObject({
  partners: z
    .array(z.int().min(1))
    .min(1)
    .refine((all) => new Set(all).size === all.length, 'a partner is there twice'),
  prefixPlayers: z.boolean().optional(),
  user: z.string().regex(/^[^:]{1,128}$/, 'must have 1 to 128 characters and no colon'),
  password: z.string().min(1).max(256),
  addresses: z.array(z.union([z.ipv4(), z.ipv6()])).default([]),
  gameref: z.string().regex(/^rlx(\.[A-Za-z0-9_-]+){2}\.\{game\}$/, `must be rlx.<platform>.<studio>.${GAME}`),
  studioName: z.string().min(1).max(64).default('Roundhouse'),
  currencies: walletCurrenciesSchema.default({}),
  defaultCurrency: currencySchema.default('EUR'),
  homeURLs: z.array(z.url({ protocol: /^https?$/ })).default([]),
  jurisdictions: z.record(z.string(), partialJurisdictionSchema).default({}),
});
export type Settings = z.output<typeof settingsSchema>;

/** The settings of one operator, as both directions use them. */
export type Connection = ReturnType<typeof connectionOf>;

export function connectionOf(settings: Settings) {
  const { partners, user, password, addresses, gameref } = settings;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const hasPrefix = settings.prefixPlayers ?? partners.length > 1;
  const jurisdictions = new Map(Object.entries(settings.jurisdictions));
  const homes = settings.homeURLs.map((text) => new URL(text));
  return {
    settings,
    ...walletCurrencies(settings.currencies, () => DECIMALS),
    authorization,
    isPartner: (partnerid: number) => partners.includes(partnerid),
    isAuthorized: (header: unknown) => isSameText(String(header), authorization),
    isAllowed: (address = '') => addresses.length === 0 || addresses.includes(address.replace(/^::ffff:/, '')),
    gamerefOf: (gameID: string) => gameref.replace(GAME, () => gameID),
    /**
     * Anybody can make a link that begins a launch, so a game leads to pages of these settings
     * alone.
     */
    isHome: (text: string) => homes.some((home) => isBelow(home, text)),
    jurisdictionOf: (name: string | null | undefined) => jurisdictions.get(name ?? ''),
    playerIDOf: (partnerid: number, playerid: number) => (hasPrefix ? `${partnerid}/${playerid}` : String(playerid)),
    playeridOf: (playerID: string) => Number(playerID.slice(playerID.lastIndexOf('/') + 1)),
    /** A name without a partner is older than the prefix: it is of any of them. */
    isOf: (partnerid: number, playerID: string) => !playerID.includes('/') || playerID.startsWith(`${partnerid}/`),
  };
}

/** A page is below another one with the same origin, when its path goes on at a slash. */
function isBelow(home: URL, text: string): boolean {
  const page = parseHttpUrl(text);
  if (page === undefined || page.origin !== home.origin || page.username !== '') return false;
  return `${page.pathname}/`.startsWith(home.pathname.replace(/\/?$/, '/'));
}

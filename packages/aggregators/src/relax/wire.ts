import { createHash } from 'node:crypto';
import type { World } from '../kit/aggregator.ts';

/** --dialect-settings has this content. */
export type RelaxSettings = { partners: number[]; user: string; password: string; gameref: string; homeURLs: string[] };

export const PARTNER = 10;
export const USER = 'roundhouse';

export const METHODS = ['verifytoken', 'getbalance', 'withdraw', 'deposit', 'rollback'] as const;
export type Method = (typeof METHODS)[number];

export type RelaxBody = {
  requestid?: string;
  timestamp?: number;
  token?: string;
  gameref?: string;
  partnerid?: number;
  playerid?: number;
  sessionid?: number;
  currency?: string;
  roundid?: string;
  txid?: string;
  originaltxid?: string;
  originaltimestamp?: number;
  amount?: number;
  txtype?: string;
  ended?: boolean;
  channel?: string;
  clientid?: string;
  ip?: string;
};

const isText = (value: unknown) => typeof value === 'string' && value.length > 0 && value.length <= 128;
const isWhole = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const optional = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || is(value);
const oneOf =
  (...values: readonly string[]) =>
  (value: unknown) =>
    values.includes(value as string);

type Check = (value: unknown) => boolean;
type Fields = Readonly<Partial<Record<keyof RelaxBody, Check>>>;

const GAMEREF: Check = (value) => /^rlx\.[\w-]+\.[\w-]+\.[\w.-]+$/.test(String(value));
const common: Fields = { requestid: isText, timestamp: isWhole, gameref: GAMEREF };
const place: Fields = { channel: oneOf('web', 'mobile'), clientid: optional(isText) };
const player: Fields = {
  playerid: isWhole,
  sessionid: isWhole,
  currency: (value) => /^[A-Z.]{2,4}$/.test(String(value)),
};
const money: Fields = {
  ...common,
  ...player,
  clientid: optional(isText),
  roundid: isText,
  txid: isText,
  amount: isWhole,
  ended: (value: unknown) => typeof value === 'boolean',
};

const FIELDS: Readonly<Record<Method, Fields>> = {
  verifytoken: { ...common, ...place, token: isText, partnerid: isWhole, ip: optional(isText) },
  getbalance: { ...common, ...player },
  withdraw: { ...money, ...place, txtype: oneOf('withdraw') },
  deposit: { ...money, ...place, txtype: oneOf('deposit') },
  rollback: { ...money, txtype: oneOf('withdraw'), originaltxid: isText, originaltimestamp: isWhole },
};

/** Names the first field that is wrong or must not be there. */
export function fieldErrorOf(method: Method, body: RelaxBody | undefined): string | undefined {
  if (body === undefined) return undefined;
  const fields = FIELDS[method];
  const extra = Object.keys(body).find((name) => !Object.hasOwn(fields, name));
  if (extra !== undefined) return `${extra} is no field of ${method}`;
  const wrong = Object.entries(fields).find(([name, is]) => !is(body[name as keyof RelaxBody]));
  return wrong && `${wrong[0]} is missing or not right`;
}

export function authorizationOf({ user, password }: Pick<RelaxSettings, 'user' | 'password'>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Both directions carry the password in this header. */
export function passwordOf({ keys }: World): string {
  return authorizationOf({ user: USER, password: keys.secret });
}

/** A player has a number here, made from the name. */
export function playeridOf(player: string): number {
  if (/^[1-9]\d{0,8}$/.test(player)) return Number(player);
  return 1_000_000_000 + createHash('sha256').update(player).digest().readUInt32BE();
}

export function parse(text: string): RelaxBody | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null ? (content as RelaxBody) : undefined;
  } catch {
    return undefined;
  }
}

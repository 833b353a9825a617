import { httpUrlSchema, type Micros } from '@roundhouse/contract';
import * as z from 'zod';
import type { DialectServer, InboundResponse, LaunchResult } from '../dialect.ts';
import { firstIssue } from '../firstIssue.ts';
import { nameOf } from './inbound.ts';
import type { Ticket } from './send.ts';
import type { Connection } from './settings.ts';

const digitsOf = (digits: number) => z.string().regex(new RegExp(`^\\d{1,${digits}}$`));

const launchSchema = z.object({
  gameid: nameOf(128),
  partnerid: digitsOf(15).transform(Number),
  moneymode: z.enum(['real', 'fun']),
  ticket: nameOf(512).optional(),
  channel: z.enum(['web', 'mobile']).default('web'),
  clientid: nameOf(64).optional(),
  lang: nameOf(32).optional(),
  currency: nameOf(16).optional(),
  jurisdiction: nameOf(32).optional(),
  homeurl: httpUrlSchema.optional(),
  rcinterval: digitsOf(9).transform(Number).pipe(z.int().max(86_400)).optional(),
});

/** A browser sent the request from the IP address `address`. */
type Launch = { connection: Connection; server: DialectServer; query: string; address: string | undefined };

const MS_PER_SECOND = 1_000;
const STATUS_WITHOUT_PLAYER = { refused: 403, uncertain: 502, not_sent: 503 };

/** The launch says who plays in a ticket alone, so the wallet is asked first. */
export async function launch({ connection, server, query, address: ip }: Launch): Promise<InboundResponse> {
  const { data, error } = launchSchema.safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (error) return page(400, firstIssue(error));
  const { gameid: gameID, partnerid, moneymode, ticket, channel, clientid, lang, ...more } = data;
  if (!connection.isPartner(partnerid)) return { ...page(403, 'the partner is not known'), refused: 'partner' };
  const place = {
    gameID,
    language: lang,
    device: channel === 'mobile' ? ('mobile' as const) : ('desktop' as const),
    // Another page is left out: the game opens, and does not lead there.
    ...(more.homeurl !== undefined && connection.isHome(more.homeurl) && { returnURL: more.homeurl }),
  };
  if (moneymode === 'fun') {
    await server.admitStranger();
    const { currency } = connection.currencyByCode(more.currency ?? connection.settings.defaultCurrency);
    return launched(
      await server.launchDemo({ ...place, currency, jurisdiction: connection.jurisdictionOf(more.jurisdiction) }),
    );
  }
  if (ticket === undefined) return page(400, 'ticket: is missing');
  const asked: Ticket = { ticket, partnerid, channel, clientid, ip };
  const verified = await server.identify({ gameID, token: JSON.stringify(asked) });
  if (verified.kind !== 'accepted')
    return page(STATUS_WITHOUT_PLAYER[verified.kind], 'the wallet does not confirm the player');
  const { playerID, currency, country, token = '', maxStake } = verified.body;
  const { jurisdiction } = verified.body;
  const player = { playerID, currency, country, token, jurisdiction, maxStake: maxStake as Micros | undefined };
  const browserRealityCheckMs = more.rcinterval === undefined ? undefined : more.rcinterval * MS_PER_SECOND;
  return launched(await server.launch({ ...place, ...player, browserRealityCheckMs }));
}

function launched(result: LaunchResult): InboundResponse {
  return result.ok ? { status: 302, headers: { Location: result.url }, body: '' } : page(400, result.detail);
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };

/** The player sees it in the browser. */
function page(status: number, why: string): InboundResponse {
  return { status, headers: TEXT, body: `The game cannot be opened: ${why}\n` };
}

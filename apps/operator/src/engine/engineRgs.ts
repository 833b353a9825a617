import { KNOWN_CURRENCY_CODES, type OperatorGame, parseLaunchUrl } from '@roundhouse/contract';
import * as z from 'zod';
import { forwardTo, type RgsClient, RgsRefusal, RgsUnreachable, send, textOf } from '../rgsClient.ts';
import type { EngineKeys } from './settings.ts';
import { SIGNATURE_HEADER, signatureOf } from './wire.ts';

const urlSchema = z.url({ protocol: /^https?$/ });
const launchedSchema = z.object({ url: urlSchema });
const gamesSchema = z.array(z.object({ id: z.string(), name: z.string(), image: urlSchema.optional() }));
const errorSchema = z.object({ message: z.string() });

/** The dialect says nothing of these. */
const UNSAID: Omit<OperatorGame, 'gameID' | 'title'> = {
  ...{ version: '', draws: 'certified', modes: [], statistics: [], bets: {}, hasFrontend: true },
  currencies: [...KNOWN_CURRENCY_CODES],
};

type EngineRgsOptions = {
  /** The server has this address, for example http://127.0.0.1:4000. */
  url: string;
  /** The operator's code at the server is its X-Operator too. */
  code: string;
  keys: Pick<EngineKeys, 'own'>;
};

/** Sends the operator's requests of the dialect. A game's id is the one of the game list. */
export function createEngineRgs({ url, code, keys }: EngineRgsOptions): RgsClient {
  const ask = async <Schema extends z.ZodType>(method: string, path: string, schema: Schema, body?: object) => {
    const request = { method, path: `/dialects/${code}${path}`, body };
    const headers = { 'X-Operator': code, [SIGNATURE_HEADER]: signatureOf(textOf(body), keys.own) };
    const { status, body: response } = await send(url, request, headers);
    const refusal = errorSchema.safeParse(response).data;
    if ((status === 400 || status === 404) && refusal) throw new RgsRefusal(status, refusal.message);
    const { data } = schema.safeParse(response);
    if (status === 200 && data !== undefined) return data;
    throw new RgsUnreachable(`the server responded with ${status} ${refusal?.message ?? ''}`);
  };
  return {
    async listGames() {
      const listed = await ask('GET', '/game/list', gamesSchema);
      const games = listed.map(({ id, name, image: thumbnail }) => ({
        ...{ ...UNSAID, gameID: id, title: name },
        ...(thumbnail !== undefined && { thumbnail }),
      }));
      return { games, currencies: [], languages: [] };
    },
    /**
     * The session has one credential: the token of the launch is its id. The studio bench needs the
     * one that the server has made.
     */
    async createSession({ gameID: game, playerID: user, sessionID = '', currency, lang: language, device }) {
      const launch = { game, user, token: sessionID, currency, language, device, tag: 'real' };
      const { url: launchUrl } = await ask('POST', '/game/url', launchedSchema, launch);
      const launched = parseLaunchUrl(launchUrl);
      return { sessionID: launched.kind === 'play' ? launched.sessionID : sessionID, url: launchUrl };
    },
    async giveGrants() {
      throw new RgsRefusal(400, 'the dialect has no free rounds');
    },
    forward: forwardTo(url),
  };
}

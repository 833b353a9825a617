import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  isKeysText,
  type Micros,
  type SignedCall,
  signCall,
  WALLET_HEALTH_PATH,
  WALLET_ROUTES,
  type WalletRouteName,
} from '@roundhouse/contract';
import * as z from 'zod';
import { type Exchange, NotTestable, responseOf, successOf } from './exchange.ts';
import { createPoster } from './wire/poster.ts';
import type { WalletExchange } from './wire/walletHttp.ts';

/** The checks are made with these. */
export type CheckFacts = {
  /** A live session at the operator. */
  sessionID: string;
  /** A session that has timed out, when there is one. */
  expiredSessionID?: string;
  gameID: string;
  /** The checks bet this stake, above zero. */
  bet: Micros;
  /**
   * The wallet knows free rounds: their rules are checked too. Otherwise no request has their
   * fields.
   */
  freeRounds?: boolean;
  /** The wallet takes a debit that closes its lost round. */
  closingDebits?: boolean;
};

/**
 * It checks less than the contract asks: an issue elsewhere in the response fails its own rule and
 * leaves the others testable.
 */
const playerSchema = z.object({ playerID: z.string().min(1), currency: z.string().min(1), balance: z.int() });
export type Player = z.infer<typeof playerSchema>;

export type WalletCall = { route: WalletRouteName; body: object };

export type WalletUnderTest = {
  readonly facts: CheckFacts;
  /** The run began then, in milliseconds. */
  readonly startedAtMs: number;
  /** Asks who the player is. The first response of a run is used for all of it. */
  authenticate(): Promise<Exchange>;
  /** Sends the health request, which has no signature. */
  health(): Promise<WalletExchange>;
  /** Returns what the first authenticate said; undefined when it did not say it. */
  player(): Player | undefined;
  call(route: WalletRouteName, body: object, signing?: Signing): Promise<Exchange>;
  /** Sends the same with a body that may be no JSON. */
  callWithText(route: WalletRouteName, text: string, signing?: Signing): Promise<Exchange>;
  /** Sends all of them before the first response comes. */
  callAtOnce(calls: readonly WalletCall[]): Promise<Exchange[]>;
  /** Makes a round that no other call has named: digits, as those of the server. */
  newRoundID(): string;
  /** Returns every exchange of the run so far, in the order of the responses. */
  history(): readonly Exchange[];
};

/** One rule of the wallet protocol and the check of it. */
export type WalletRule = {
  /** `<group>.<name>`, stable: reports are compared by it. */
  id: string;
  /** What a right wallet does, in one sentence. */
  rule: string;
  /**
   * Ends when the wallet obeys. Throws a CheckFailure when it does not, a NotTestable when nobody
   * can know.
   */
  run(wallet: WalletUnderTest): Promise<void>;
};

export function createWalletUnderTest(client: CheckClient, facts: CheckFacts): WalletUnderTest {
  const exchanges: Exchange[] = [];
  const startedAtMs = Date.now();
  let rounds = 0;
  let player: Player | undefined;

  async function callWithText(route: WalletRouteName, text: string, signing: Signing = GOOD_SIGNATURE) {
    const exchange = await client.post(route, text, signing);
    exchanges.push(exchange);
    return exchange;
  }
  const call = (route: WalletRouteName, body: object, signing?: Signing) =>
    callWithText(route, JSON.stringify(body), signing);

  return {
    facts,
    startedAtMs,
    async authenticate() {
      const exchange = await call('authenticate', { sessionID: facts.sessionID, gameID: facts.gameID });
      player ??= playerSchema.safeParse(successOf(exchange)).data;
      return exchange;
    },
    health: () => client.get(WALLET_HEALTH_PATH),
    player: () => player,
    call,
    callWithText,
    callAtOnce: (calls) =>
      Promise.all(
        calls.map(async ({ route, body }) => {
          const { call, response } = await client.post(route, JSON.stringify(body), GOOD_SIGNATURE);
          const exchange: Exchange = { call: { ...call, atOnce: true }, response };
          exchanges.push(exchange);
          return exchange;
        }),
      ),
    newRoundID() {
      rounds += 1;
      return String(startedAtMs * 1000 + rounds);
    },
    history: () => exchanges,
  };
}

/** Returns the player, without whom no other request is possible. */
export function playerOf(wallet: WalletUnderTest): Player {
  const player = wallet.player();
  if (player === undefined) throw new NotTestable('/authenticate did not say who the player is');
  return player;
}

/** Says how a call is signed. With nothing but `words` it is signed correctly. */
export type Signing = {
  /** Names the signature in the report. */
  words: string;
  /** Leaves all signature headers out. */
  unsigned?: true;
  /** A secret that the wallet does not know replaces the right one. */
  otherSecret?: true;
  /** It is added to the clock, in seconds. */
  offsetSeconds?: number;
  /** What is signed, where it is not what is sent. */
  signed?: Partial<SignedCall>;
  /** Rewrites the value of the signature header. */
  rewrite?: (signature: string) => string;
};

const GOOD_SIGNATURE: Signing = { words: 'signed' };

export type CheckClient = {
  /** Sends a body as it is. Never rejects: a call without a response is an exchange too. */
  post(route: WalletRouteName, body: string, signing: Signing): Promise<Exchange>;
  /** Sends a GET without a signature. */
  get(path: string): Promise<WalletExchange>;
  close(): Promise<void>;
};

type CheckClientOptions = { baseUrl: string; secret: string; timeoutMs?: number | undefined };

/**
 * Makes a client of one wallet that can also sign wrongly, and shows responses raw. `baseUrl`: what
 * comes before `/debit`. timeoutMs: as createPoster has it.
 */
export function createCheckClient({ baseUrl, secret, timeoutMs }: CheckClientOptions): CheckClient {
  const poster = createPoster({ baseUrl, timeoutMs });
  return {
    async post(route, body, signing) {
      const { method, path } = WALLET_ROUTES[route];
      const call = { route, method, path, signed: signing.words, body };
      const headers = () => ({
        'content-type': 'application/json',
        ...signatureHeaders({ method, path, body }, { secret, signing }),
      });
      return { call, response: responseOf(await poster.post({ path, body, headers })) };
    },
    get: poster.get,
    close: poster.close,
  };
}

/** Returns a secret of the same kind. */
function otherSecret(secret: string): string {
  if (!isKeysText(secret)) return randomUUID();
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function signatureHeaders(
  sent: Omit<SignedCall, 'direction'>,
  { secret, signing }: { secret: string; signing: Signing },
): Record<string, string> {
  if (signing.unsigned) return {};
  const nowSeconds = Math.floor(Date.now() / 1000) + (signing.offsetSeconds ?? 0);
  const call: SignedCall = { direction: 'to-operator', ...sent, ...signing.signed };
  const headers = signCall(call, { secret: signing.otherSecret ? otherSecret(secret) : secret, nowSeconds });
  const signature = headers['x-roundhouse-signature'];
  return { ...headers, 'x-roundhouse-signature': signing.rewrite?.(signature) ?? signature };
}

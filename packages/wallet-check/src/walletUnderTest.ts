import type { Micros, WalletRouteName } from '@roundhouse/contract';
import * as z from 'zod';
import { type CheckClient, GOOD_SIGNATURE, type Signing } from './checkClient.ts';
import { type Exchange, successOf } from './exchange.ts';
import { NotTestable } from './verdicts.ts';

/** What the checks are made with. */
export type CheckFacts = {
  /** A live session at the operator. */
  sessionID: string;
  /** A session that has timed out, when there is one. */
  expiredSessionID?: string;
  gameID: string;
  /** The stake of the checks, above zero. */
  bet: Micros;
};

/** Less than the contract asks: a fault elsewhere in the answer fails its own rule and leaves the others testable. */
const playerSchema = z.object({ playerID: z.string().min(1), currency: z.string().min(1), balance: z.int() });
export type Player = z.infer<typeof playerSchema>;

export type WalletCall = { route: WalletRouteName; body: object };

export type WalletUnderTest = {
  readonly facts: CheckFacts;
  /** When the run began, in milliseconds. */
  readonly startedAtMs: number;
  /** Asks who the player is. The first answer of a run stands for all of it. */
  authenticate(): Promise<Exchange>;
  /** As the first authenticate said; undefined when it did not. */
  player(): Player | undefined;
  call(route: WalletRouteName, body: object, signing?: Signing): Promise<Exchange>;
  /** The same with a body that may be no JSON. */
  callWithText(route: WalletRouteName, text: string, signing?: Signing): Promise<Exchange>;
  /** Sends all of them before the first answer comes. */
  callAtOnce(calls: readonly WalletCall[]): Promise<Exchange[]>;
  /** A round that no other call has named: digits, as those of the server. */
  newRoundID(): string;
  /** Every exchange of the run so far, in the order of the answers. */
  history(): readonly Exchange[];
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
    player: () => player,
    call,
    callWithText,
    callAtOnce: (calls) =>
      Promise.all(
        calls.map(async ({ route, body }) => {
          const { call, answer } = await client.post(route, JSON.stringify(body), GOOD_SIGNATURE);
          const exchange: Exchange = { call: { ...call, atOnce: true }, answer };
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

/** The player, without whom nothing else can be asked. */
export function playerOf(wallet: WalletUnderTest): Player {
  const player = wallet.player();
  if (player === undefined) throw new NotTestable('/authenticate did not say who the player is');
  return player;
}

import { insist as insistOn } from '@roundhouse/fault-injection';

const PATIENCE_MS = 300_000;

type Response = { status: number; body: any };

type Options<Answer extends Response> = {
  name: string;
  /** Returns undefined when no response arrived. */
  send: (path: string, body: object, key?: string) => Promise<Answer | undefined>;
  /** The default: a response below 500 is certain. */
  isCertain?: (response: Answer) => boolean;
  onUncertain?: (response: Answer | undefined) => void;
  /** Spreads the pauses; from 0 to below 1. */
  random?: () => number;
};

/**
 * Makes the requests of a careful front end. It repeats each one until the response is certain, a
 * play with its Idempotency-Key, and ends what a lost response has left behind.
 */
export function createInsistingPlayer<Answer extends Response>(options: Options<Answer>) {
  const { name, send, isCertain = ({ status }) => status < 500, onUncertain, random } = options;

  async function insist(path: string, body: object, key?: string): Promise<Answer> {
    const attempt = async () => {
      const response = await send(path, body, key);
      if (response !== undefined && isCertain(response)) return response;
      onUncertain?.(response);
      return undefined;
    };
    // On a busy machine all responses are late for a while, and late ones are uncertain.
    const certain = await insistOn(attempt, { patienceMs: PATIENCE_MS, ...(random && { random }) });
    if (certain === undefined)
      throw new Error(`${name}: ${path} has no certain response after ${PATIENCE_MS / 1000} s`);
    return certain;
  }

  /** Authenticates, and ends the round that is open. */
  async function comeToRest(sessionID: string): Promise<Answer> {
    const rest = await insist('/wallet/authenticate', { sessionID });
    if (rest.status !== 200) throw new Error(`${name}: authenticate responded ${JSON.stringify(rest.body)}`);
    return rest.body.round?.active === true ? insist('/wallet/end-round', { sessionID }) : rest;
  }

  return { insist, comeToRest };
}

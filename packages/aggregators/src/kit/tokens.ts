import { randomUUID } from 'node:crypto';

type Token = { token: string; player: string; currency: string; gameID: string; isExpired: boolean };

export type Tokens = {
  /** Makes a new token of a launch. */
  issue(player: string, currency: string, gameID: string): string;
  find(token: string): Token | undefined;
  /** Returns whether there is such a token. */
  expire(token: string): boolean;
};

export function createTokens(): Tokens {
  const issued = new Map<string, Token>();
  return {
    issue(player, currency, gameID) {
      const token = randomUUID();
      issued.set(token, { token, player, currency, gameID, isExpired: false });
      return token;
    },
    find: (token) => issued.get(token),
    expire(token) {
      const found = issued.get(token);
      if (found !== undefined) found.isExpired = true;
      return found !== undefined;
    },
  };
}

import { insist } from '@roundhouse/fault-injection';
import { CELL_HEADER, cellNumberOfSession } from '@roundhouse/fleet';
import { expect } from 'vitest';
import { type Caller, launchBody, operatorClient } from '../../operators/api/operatorClient.ts';
import type { TestResponse } from '../../support/testServer.ts';

const PATIENCE_MS = 120_000;

export type Launcher = ReturnType<typeof createLauncher>;

/**
 * Launches players over routers, and remembers the cell of each: a launch never goes to another
 * one.
 */
export function createLauncher({ routers, caller }: { routers: readonly { url: string }[]; caller: Caller }) {
  const clients = routers.map(({ url }) => operatorClient(url, caller));
  const cells = new Map<string, number>();
  const counts = { launches: 0, errors: 0 };

  async function attempt(playerID: string, router: number): Promise<TestResponse | undefined> {
    try {
      return await clients[router]?.launch(launchBody({ playerID }));
    } catch (error) {
      // The router is down.
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }

  return {
    cells,
    counts,
    /** Remembers the cell that something else has launched the player in. */
    remember: keep,
    /**
     * Returns the message of a refusal; undefined when the launch was a success, in the right cell.
     */
    async tryOnce(playerID: string, router: number): Promise<string | undefined> {
      const response = await attempt(playerID, router);
      if (response?.status !== 200) return response?.body.message ?? 'no response';
      counts.launches += 1;
      keep(playerID, Number(response.headers.get(CELL_HEADER)));
      return undefined;
    },
    /** Launches once more until the router has a success. */
    async launch(playerID: string, router: number): Promise<void> {
      let said: string | undefined;
      const launched = await insist(
        async () => {
          const response = await attempt(playerID, router);
          if (response?.status === 200) return response;
          // A launch is refused only because something is down.
          expect([undefined, 500], response?.text).toContain(response?.status);
          counts.errors += 1;
          said = response?.text;
          return undefined;
        },
        { patienceMs: PATIENCE_MS },
      );
      if (launched === undefined)
        throw new Error(`${playerID} is not launched after ${PATIENCE_MS / 1000} s: ${said ?? 'no response'}`);
      counts.launches += 1;
      const number = Number(launched.headers.get(CELL_HEADER));
      expect(cellNumberOfSession(launched.body.sessionID), playerID).toBe(number);
      keep(playerID, number);
    },
  };

  function keep(playerID: string, number: number): void {
    expect(cells.get(playerID) ?? number, `the cell of ${playerID}`).toBe(number);
    cells.set(playerID, number);
  }
}

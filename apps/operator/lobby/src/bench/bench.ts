import { computed, signal } from '@preact/signals';
import type { Fault, FaultPlan, FindBooksRequest, FindBooksResponse, ReadParityResponse } from '@roundhouse/contract';
import type { AccountModel } from '../account/account.ts';
import {
  type Api,
  type Failure,
  type FreeRoundsRequest,
  type LobbyGame,
  type Result,
  WIRES,
  type Wire,
  type WishedOutcome,
} from '../api.ts';
import type { LauncherModel } from '../games/launcher.ts';
import { withFault, withoutFault } from './faults.ts';

export type BenchMessage =
  | { kind: 'failed'; failure: Failure }
  | { kind: 'forced'; mode: string; bookID: number }
  | { kind: 'balance-set'; amount: number }
  | { kind: 'free-rounds-given'; count: number; title: string }
  | { kind: 'fault-added' | 'fault-removed'; wire: Wire }
  | { kind: 'all-off' };

const BOOKS_PAGE = 10;

export type BenchModel = ReturnType<typeof createBenchModel>;

type Deps = { api: Api; account: AccountModel; launcher: LauncherModel; focusGame: () => void };

export type FreeRoundTerms = Omit<FreeRoundsRequest, 'playerID' | 'gameID' | 'currency'>;

export type BookWish = Pick<FindBooksRequest, 'mode' | 'payout' | 'with' | 'without'>;

/** Makes the studio bench: the next outcome, the player's balance and the faults. */
export function createBenchModel({ api, account, launcher, focusGame }: Deps) {
  const isOpen = signal(false);
  const message = signal<BenchMessage | undefined>(undefined);
  const plans = { game: signal<FaultPlan | undefined>(undefined), wallet: signal<FaultPlan | undefined>(undefined) };
  const requests = { game: 0, wallet: 0 };
  const parity = signal<ReadParityResponse | undefined>(undefined);

  /** Shows the result. Returns true after a success; the game then has the keyboard again. */
  function report<Value>(result: Result<Value>, toMessage: (value: Value) => BenchMessage): boolean {
    message.value = result.ok ? toMessage(result.value) : { kind: 'failed', failure: result.failure };
    if (result.ok && launcher.open.value) focusGame();
    return result.ok;
  }

  /** Only the last request counts: an earlier one may have been sent before a change. */
  async function readPlan(wire: Wire): Promise<Result<FaultPlan>> {
    requests[wire] += 1;
    const request = requests[wire];
    const result = await api.faults(wire);
    if (request === requests[wire]) plans[wire].value = result.ok ? result.value : undefined;
    return result;
  }

  /** Reads the plan again before it changes it, so that no counter of a fault is reset. */
  async function changePlan(wire: Wire, change: (plan: FaultPlan) => FaultPlan): Promise<Result<unknown>> {
    const current = await readPlan(wire);
    if (!current.ok) return current;
    const result = await api.setFaults(wire, change(current.value));
    await readPlan(wire);
    return result;
  }

  /** Reads what Engine's server refuses of the open game. */
  async function readParity(): Promise<void> {
    const sessionID = launcher.open.value?.session.sessionID;
    const result = sessionID === undefined ? undefined : await api.parity(sessionID);
    if (sessionID === launcher.open.value?.session.sessionID) parity.value = result?.ok ? result.value : undefined;
  }

  return {
    isOpen,
    message,
    plans,
    parity,
    activeFaults: computed(() => WIRES.reduce((sum, wire) => sum + (plans[wire].value?.faults.length ?? 0), 0)),
    async refresh(): Promise<void> {
      await Promise.all([readParity(), ...WIRES.map(readPlan)]);
    },
    async force(mode: string | undefined, outcome: WishedOutcome): Promise<void> {
      const sessionID = launcher.open.value?.session.sessionID;
      if (sessionID === undefined) return;
      const result = await api.force({ sessionID, ...(mode !== undefined && { mode }), ...outcome });
      report(result, (forced) => ({ kind: 'forced', ...forced }));
    },
    /**
     * Finds one page of the books of the open game. It is undefined after a failure, which is
     * shown.
     */
    async findBooks(wish: BookWish, from: number): Promise<FindBooksResponse | undefined> {
      const game = launcher.open.value?.game;
      if (game === undefined) return undefined;
      const result = await api.books({
        ...wish,
        gameID: game.gameID,
        gameVersion: game.version,
        from,
        limit: BOOKS_PAGE,
      });
      if (result.ok) return result.value;
      message.value = { kind: 'failed', failure: result.failure };
      return undefined;
    },
    async setBalance(amount: number): Promise<void> {
      const playerID = account.playerID.value;
      if (playerID === undefined) return;
      const result = await api.setBalance({ playerID, currency: account.currency.value, amount });
      report(result, ({ balance }) => ({ kind: 'balance-set', amount: balance }));
    },
    /**
     * Gives the player free rounds at this bet. Reloads the open game, which reads grants at its
     * start.
     */
    async giveFreeRounds(game: LobbyGame, terms: FreeRoundTerms): Promise<void> {
      const playerID = account.playerID.value;
      if (playerID === undefined) return;
      const { gameID, title } = game;
      const result = await api.giveFreeRounds({ ...terms, playerID, gameID, currency: account.currency.value });
      if (result.ok && launcher.open.value?.game.gameID === gameID) launcher.reload();
      report(result, ({ given }) => ({ kind: 'free-rounds-given', count: given, title }));
    },
    addFault: async (wire: Wire, fault: Fault): Promise<boolean> =>
      report(await changePlan(wire, (plan) => withFault(plan, fault)), () => ({ kind: 'fault-added', wire })),
    removeFault: async (wire: Wire, shown: { place: number; fault: Fault }): Promise<boolean> =>
      report(await changePlan(wire, (plan) => withoutFault(plan, shown)), () => ({ kind: 'fault-removed', wire })),
    async clearFaults(): Promise<void> {
      const results = await Promise.all(WIRES.map((wire) => api.clearFaults(wire)));
      await Promise.all(WIRES.map(readPlan));
      const failed = results.find((result) => !result.ok);
      report(failed ?? { ok: true, value: undefined }, () => ({ kind: 'all-off' }));
    },
  };
}

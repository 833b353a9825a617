import { computed, signal } from '@preact/signals';
import type { Fault, FaultPlan } from '@roundhouse/contract';
import type { Answer, Api, Failure } from '../api/api.ts';
import { type ResultKind, WIRES, type Wire } from '../api/apiTypes.ts';
import { withFault, withoutFault } from '../bench/faultPlans.ts';
import type { AccountModel } from './accountModel.ts';
import type { TableModel } from './tableModel.ts';

/** What the last action on the bench has come to. */
export type BenchNews =
  | { kind: 'failed'; failure: Failure }
  | { kind: 'forced'; mode: string; bookID: number }
  | { kind: 'balance-set'; amount: number }
  | { kind: 'fault-added' | 'fault-removed'; wire: Wire }
  | { kind: 'all-off' };

export type BenchModel = ReturnType<typeof createBenchModel>;

type Parts = { api: Api; account: AccountModel; table: TableModel };

/** The studio bench: what comes next, what the player has, and what goes wrong. */
export function createBenchModel({ api, account, table }: Parts) {
  const isOpen = signal(false);
  const news = signal<BenchNews | undefined>(undefined);
  const plans = { game: signal<FaultPlan | undefined>(undefined), wallet: signal<FaultPlan | undefined>(undefined) };

  const questions = { game: 0, wallet: 0 };

  /** Shows what came of it, and hands on whether it went well. */
  function report<Value>(answer: Answer<Value>, toNews: (value: Value) => BenchNews): boolean {
    news.value = answer.ok ? toNews(answer.value) : { kind: 'failed', failure: answer.failure };
    return answer.ok;
  }

  /** Only the answer to the last question is shown: one that was asked before a change knows nothing of it. */
  async function readPlan(wire: Wire): Promise<Answer<FaultPlan>> {
    questions[wire] += 1;
    const question = questions[wire];
    const answer = await api.faults(wire);
    if (question === questions[wire]) plans[wire].value = answer.ok ? answer.value : undefined;
    return answer;
  }

  /** The plan is read again before it is changed: what has counted down since must not be wound up again. */
  async function changePlan(wire: Wire, change: (plan: FaultPlan) => FaultPlan): Promise<Answer<unknown>> {
    const current = await readPlan(wire);
    if (!current.ok) return current;
    const answer = await api.setFaults(wire, change(current.value));
    await readPlan(wire);
    return answer;
  }

  return {
    isOpen,
    news,
    plans,
    activeFaults: computed(() => WIRES.reduce((sum, wire) => sum + (plans[wire].value?.faults.length ?? 0), 0)),
    async refresh(): Promise<void> {
      await Promise.all(WIRES.map(readPlan));
    },
    /** Reads again what counts down. A wire without faults is not asked: it may not even answer. */
    async refreshCounts(): Promise<void> {
      await Promise.all(WIRES.filter((wire) => plans[wire].value?.faults.length).map(readPlan));
    },
    async force(mode: string | undefined, outcome: { bookID: number } | { kind: ResultKind }): Promise<void> {
      const sessionID = table.open.value?.session.sessionID;
      if (sessionID === undefined) return;
      const answer = await api.force({ sessionID, ...(mode !== undefined && { mode }), ...outcome });
      report(answer, (forced) => ({ kind: 'forced', ...forced }));
    },
    async setBalance(amount: number): Promise<void> {
      const playerID = account.playerID.value;
      if (playerID === undefined) return;
      const answer = await api.setBalance({ playerID, currency: account.currency.value, amount });
      report(answer, ({ balance }) => ({ kind: 'balance-set', amount: balance }));
    },
    addFault: async (wire: Wire, fault: Fault): Promise<boolean> =>
      report(await changePlan(wire, (plan) => withFault(plan, fault)), () => ({ kind: 'fault-added', wire })),
    removeFault: async (wire: Wire, shown: { place: number; fault: Fault }): Promise<boolean> =>
      report(await changePlan(wire, (plan) => withoutFault(plan, shown)), () => ({ kind: 'fault-removed', wire })),
    async clearFaults(): Promise<void> {
      const answers = await Promise.all(WIRES.map((wire) => api.clearFaults(wire)));
      await Promise.all(WIRES.map(readPlan));
      const refused = answers.find((answer) => !answer.ok);
      report(refused ?? { ok: true, value: undefined }, () => ({ kind: 'all-off' }));
    },
  };
}

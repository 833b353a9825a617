import type { WalletTransaction } from '@roundhouse/contract';
import { expectRising, listingFault } from './listingFaults.ts';
import { listMovements, listPages, type Window, wholeRun } from './listMovements.ts';
import type { WalletRule } from './rule.ts';
import { sentMovements } from './sentMovements.ts';
import { CheckFailure, NotTestable } from './verdicts.ts';

const idsOf = (movements: readonly WalletTransaction[]) => movements.map(({ transactionID }) => transactionID);

/** The least that shows whether the second movement of a page is followed by the third. */
const PAGE_LIMIT = 2;
/** Small pages of what a busy wallet did in minutes would be thousands, so a few movements of the run have to do. */
const PAGED_MOVEMENTS = 7;

/** From the first of our movements on, and before the eighth or whatever comes after its instant. */
function windowOfSome(ours: readonly WalletTransaction[], { to }: Window): Window {
  const [first] = ours;
  if (first === undefined) throw new NotTestable('the wallet lists no movement of this run');
  const after = ours.slice(PAGED_MOVEMENTS).find(({ at }) => Date.parse(at) > Date.parse(first.at));
  return { from: first.at, to: after?.at ?? to };
}

export const TRANSACTION_RULES: readonly WalletRule[] = [
  {
    id: 'transactions.once',
    rule: 'The list holds every movement of this run exactly once, as it was made, and nothing that was refused.',
    async run(wallet) {
      const all = await listMovements(wallet);
      const sent = sentMovements(wallet.history());
      for (const movement of sent) {
        const listed = all.filter(({ transactionID }) => transactionID === movement.transactionID);
        const fault = listingFault(movement, { listed, sent });
        if (fault !== undefined) throw new CheckFailure(`${movement.kind} ${movement.transactionID}: ${fault}`);
      }
    },
  },
  {
    id: 'transactions.order',
    rule: 'The list is in the order in which the movements were made.',
    async run(wallet) {
      const listed = await listMovements(wallet);
      expectRising(listed, 'the list');
      const byID = new Map(listed.map((each) => [each.transactionID, each]));
      const made = sentMovements(wallet.history()).filter(({ outcome, atOnce }) => outcome === 'accepted' && !atOnce);
      expectRising(
        made.flatMap(({ transactionID }) => byID.get(transactionID) ?? []),
        'what was made one after the other',
      );
    },
  },
  {
    id: 'transactions.paged',
    rule: 'Each page holds at most its limit and goes on where the one before ended, and the last has no cursor.',
    async run(wallet) {
      const window = windowOfSome(await listMovements(wallet), wholeRun(wallet));
      const whole = idsOf(await listMovements(wallet, window));
      if (whole.length <= PAGE_LIMIT) throw new NotTestable(`the movements of the run fill one page of ${PAGE_LIMIT}`);
      const pages = await listPages(wallet, { ...window, limit: PAGE_LIMIT });
      const earlier = new Set<string>();
      for (const ids of pages.map(idsOf)) {
        const again = ids.find((id) => earlier.has(id));
        if (again !== undefined) throw new CheckFailure(`${again} stands on two pages`);
        for (const id of ids) earlier.add(id);
      }
      const missing = whole.find((id) => !earlier.has(id));
      if (missing !== undefined) throw new CheckFailure(`${missing} stands on no page of ${PAGE_LIMIT}`);
    },
  },
  {
    id: 'transactions.window',
    rule: 'The list holds what was made within its window: from the first instant on, and before the last.',
    async run(wallet) {
      const { from, to } = wholeRun(wallet);
      const all = await listMovements(wallet);
      const middle = all[Math.floor(all.length / 2)];
      if (middle === undefined) throw new NotTestable('the wallet lists no movement of this run');
      const before = idsOf(await listMovements(wallet, { from, to: middle.at }));
      const since = idsOf(await listMovements(wallet, { from: middle.at, to }));
      if (before.includes(middle.transactionID)) throw new CheckFailure(`${middle.at} is listed before ${middle.at}`);
      if (!since.includes(middle.transactionID))
        throw new CheckFailure(`${middle.at} is not listed from ${middle.at} on`);
      const both = before.find((id) => since.includes(id));
      if (both !== undefined) throw new CheckFailure(`${both} is listed before ${middle.at} and from then on`);
      const neither = idsOf(all).find((id) => !before.includes(id) && !since.includes(id));
      if (neither !== undefined)
        throw new CheckFailure(`${neither} is listed neither before ${middle.at} nor from then on`);
    },
  },
];

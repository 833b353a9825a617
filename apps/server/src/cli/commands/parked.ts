import { StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError } from 'commander';
import { visible } from '../../base/terminal/visible.ts';
import { writeUnits } from '../../base/terminal/writeAmounts.ts';
import { retryParked, settleParked } from '../../ledger/parked.ts';
import { resultText, type WalletTransaction } from '../../store/rounds/walletTransaction.ts';
import { findWalletTransaction, listParked } from '../../store/rounds/walletTransactions.ts';
import { addDatabaseOptions, parseReason } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function parkedCommand(): Command {
  return new Command('parked')
    .description(
      "A credit or rollback that an operator's wallet has not accepted for 72 hours (24 by the dialect pragmatic) is parked: it is still owed, and not retried.",
    )
    .addCommand(listCommand())
    .addCommand(retryCommand())
    .addCommand(settleCommand());
}

function listCommand(): Command {
  return addDatabaseOptions(new Command('list').summary('show them, the oldest first')).action(
    async (choice: DatabaseChoice) => {
      const parked = await withDatabase(choice, listParked);
      console.log(parked.length === 0 ? 'Nothing is parked.' : parked.map(describe).join('\n'));
    },
  );
}

function retryCommand(): Command {
  return addDatabaseOptions(
    new Command('retry')
      .summary('retry one, or all')
      .description('Any running server sends it at once, and retries it for another 72 hours.')
      .argument('<transactionID>', 'which one, or "all"', (text) => (text === 'all' ? text : parseTransactionID(text))),
  ).action(async (transactionID: string, choice: DatabaseChoice) => {
    const count = await withDatabase(choice, async (db) => {
      if (transactionID === 'all') return (await retryParked(db, 'all')).length;
      const { length: retried } = await retryParked(db, { transactionIDs: [transactionID] });
      if (retried === 0) throw notParked(transactionID, (await findWalletTransaction(db, transactionID))?.state);
      return retried;
    });
    console.log(
      count === 0
        ? 'Nothing is parked.'
        : `${count} ${count === 1 ? 'wallet transaction' : 'wallet transactions'} due again.`,
    );
  });
}

function settleCommand(): Command {
  return addDatabaseOptions(
    new Command('settle')
      .summary('mark one as accepted that the operator has booked by hand')
      .description(
        'Only when a person has seen that the operator has booked it: our records then say that it was accepted, and the round goes on from there.',
      )
      .argument('<transactionID>', 'which one', parseTransactionID)
      .requiredOption('--reason <text>', 'who has seen it, and where', parseReason),
  ).action(async (transactionID: string, { reason, ...choice }: DatabaseChoice & { reason: string }) => {
    const state = await withDatabase(choice, (db) => settleParked(db, { transactionID, note: reason }));
    if (state !== 'settled') throw notParked(transactionID, state);
    console.log(`${transactionID} is settled by hand.`);
  });
}

function describe(transaction: WalletTransaction): string {
  const { transactionID, operatorCode, externalID, roundID, kind, amount, currency, createdAt, attempts } = transaction;
  return [
    `${transactionID}  ${kind} of round ${roundID}, player ${visible(externalID)} of ${operatorCode}, ${writeUnits(amount)} ${currency}`,
    `  since ${createdAt.toISOString()}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, last result: ${visible(resultText(transaction) ?? 'none')}`,
  ].join('\n');
}

function notParked(transactionID: string, state: string | undefined): StartError {
  if (state === undefined) return new StartError(`There is no wallet transaction ${transactionID}.`);
  return new StartError(`Wallet transaction ${transactionID} is not parked: it is ${state}.`);
}

function parseTransactionID(text: string): string {
  if (!UUID.test(text))
    throw new InvalidArgumentError('A transactionID is a UUID; `roundhouse parked list` shows them.');
  return text.toLowerCase();
}

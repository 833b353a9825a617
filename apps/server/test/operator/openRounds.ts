import { beforeAll, expect } from 'vitest';
import { type CheckedServer, UNIT } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { launchBody, operatorClient, useOperators } from './operatorClient.ts';

const HOUSE = { code: 'house', secret: 'the secret of the house' };

/** Rounds that are open, and what becomes of them. */
export function useOpenRounds(server: CheckedServer) {
  const operators = useOperators(server);
  beforeAll(async () => {
    await server.db.operator.update({ where: { code: HOUSE.code }, data: { secrets: [HOUSE.secret] } });
  });

  const roundRow = (betID: number) => server.db.round.findUniqueOrThrow({ where: { id: betID } });
  const moneyRows = async () => [
    await server.db.transfer.findMany({ orderBy: { id: 'asc' } }),
    await server.db.walletTransaction.findMany({ orderBy: { transactionId: 'asc' } }),
    await server.db.account.findMany({ orderBy: { id: 'asc' } }),
  ];

  return {
    ...operators,
    roundRow,
    /** The operator of the test players. */
    client: () => operatorClient(server.url, HOUSE),

    /** A test player's open round. */
    async houseRound(bookID: number = BOOK.pays150, { token = 'anna', mode = 'BASE' } = {}) {
      const sessionID = await server.liveSession({ token, setBalance: 1000 * UNIT });
      const { body } = await server.playBook(sessionID, bookID, { mode });
      return { sessionID, betID: body.round.betID as number };
    },

    /** An open round whose money is in the operator's own wallet. */
    async seamlessRound(bookID: number = BOOK.pays150, mode = 'BASE') {
      const client = await operators.seamless();
      const { wallet } = client;
      const { sessionID } = wallet;
      await client.launch(launchBody({ sessionID }));
      await server.post('/wallet/authenticate', { sessionID });
      const { body } = await server.playBook(sessionID, bookID, { mode });
      return { client, sessionID, wallet, betID: body.round.betID as number };
    },

    /** The round and all money are after this what they were before. */
    async expectUnchanged(betID: number, work: () => Promise<void>): Promise<void> {
      const before = [await roundRow(betID), ...(await moneyRows())];
      await work();
      expect([await roundRow(betID), ...(await moneyRows())]).toEqual(before);
    },
  };
}

export function kindsOf(movements: { kind: string; amount: number; state: string }[]) {
  return movements.map(({ kind, amount, state }) => [kind, amount, state]);
}

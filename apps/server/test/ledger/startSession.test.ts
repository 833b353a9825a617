import { randomBytes } from 'node:crypto';
import { type CurrencyCode, toMicros } from '@roundhouse/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/ledger/database.ts';
import { changeOperator } from '../../src/ledger/queries/changeOperator.ts';
import { startSeamlessSession, startSession } from '../../src/ledger/queries/startSession.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, secretsKey: '00'.repeat(32) });
  const { id: gameId } = await db.game.create({ data: { code: 'game' } });
  await db.gameVersion.create({
    data: { gameId, version: '1.0.0', title: '', mathSha256: '', currencies: ['USD', 'EUR'], jurisdiction: {} },
  });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

it.each(['house', 'seamless'] as const)(
  'a session of the %s wallet needs a currency that both the game and the operator offer',
  async (wallet) => {
    const change = { currencies: ['USD', 'CAD'], ...(wallet === 'seamless' && { walletUrl: 'http://127.0.0.1:9' }) };
    const makeSecret = () => 'a secret of more than thirty-two characters';
    await changeOperator(db, { code: wallet, kind: 'add', change, makeSecret });
    const { id: operatorID } = await db.operator.findUniqueOrThrow({ where: { code: wallet } });
    const start = (currency: CurrencyCode) => {
      const tokenSha256 = new Uint8Array(randomBytes(32));
      const wanted = { tokenSha256, currency, gameID: 'game', gameVersion: '1.0.0', country: undefined };
      return wallet === 'house'
        ? startSession(db, {
            ...wanted,
            operatorCode: wallet,
            playerExternalID: 'player',
            jurisdiction: {},
            openingBalance: toMicros(0),
            setBalanceTo: undefined,
          })
        : startSeamlessSession(db, {
            ...wanted,
            operatorID,
            externalID: 'player',
            launchCountry: undefined,
            limits: undefined,
            jurisdictions: [],
          });
    };
    expect(await start('USD')).toEqual({ ok: true });
    const refused = { ok: false, refusal: 'currency_not_offered' };
    expect([await start('EUR'), await start('CAD')]).toEqual([refused, refused]);
  },
);

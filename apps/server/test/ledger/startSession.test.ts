import { randomBytes } from 'node:crypto';
import { type CurrencyCode, toMicros } from '@roundhouse/contract';
import { beforeAll, expect, it } from 'vitest';
import { changeOperator } from '../../src/ledger/queries/changeOperator.ts';
import { startSeamlessSession, startSession } from '../../src/ledger/queries/startSession.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase({ secretsKey: '00'.repeat(32) });

beforeAll(async () => {
  const { id: gameId } = await database.db.game.create({ data: { code: 'game' } });
  await database.db.gameVersion.create({
    data: { gameId, version: '1.0.0', title: '', mathSha256: '', currencies: ['USD', 'EUR'], jurisdiction: {} },
  });
});

it.each(['house', 'seamless'] as const)(
  'a session of the %s wallet needs a currency that both the game and the operator offer',
  async (wallet) => {
    const { db } = database;
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

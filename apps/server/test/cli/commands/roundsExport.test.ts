import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseLaunchUrl } from '@roundhouse/contract';
import { beforeAll, expect, it } from 'vitest';
import { giveGrant } from '../../support/grants.ts';
import { expectOneLine, jsonLinesOf, temporaryFolder } from '../../support/roundhouse.ts';
import { minutesAgo, useBooks } from './books.ts';

const HEADER =
  'betID,openedAt,closedAt,status,operator,playerID,sessionNumber,country,gameID,gameVersion,mode,currency,amount,debit,payout,' +
  'bookID,payoutMultiplier,balanceBefore,balanceAfter,replayURL,grantID,freeBet';
/** A spreadsheet would run this. */
const FORMULA = '=HYPERLINK("http://x","y")';

const books = useBooks();
let ids: bigint[];
let sessionNumber: bigint;

beforeAll(async () => {
  const operatorID = await books.seamlessOperator('acme', 'http://127.0.0.1:9');
  const session = await books.player(operatorID, FORMULA);
  sessionNumber = session.id;
  await books.db.session.update({ where: { id: session.id }, data: { country: 'FI' } });
  const paid = [
    { kind: 'debit', reportedBalance: 99_000_000n },
    { kind: 'credit', reportedBalance: 111_340_000n },
  ] as const;
  const settled = await books.round(session, paid, { payout: 12_340_000n });
  const debits = [{ kind: 'debit' }, { kind: 'rollback' }] as const;
  const returned = await books.round(await books.player(operatorID, 'anna'), debits);
  const open = [{ kind: 'debit' }, { kind: 'credit', state: 'pending' }] as const;
  const left = await books.round(await books.player(operatorID, 'left'), open);
  ids = [settled, returned, left].map(({ round }) => round.id);
  const dataOf = [{ autoCompletedAt: new Date() }, {}, { walletState: 'debited' as const }];
  for (const [index, id] of ids.entries()) {
    const openedAt = minutesAgo(100 - index);
    await books.db.round.update({ where: { id }, data: { openedAt, ...dataOf[index] } });
  }
});

const exported = (...args: string[]) => books.succeed('rounds', 'export', ...args);
const refused = (...args: string[]) => books.run('rounds', 'export', ...args);
const rowOf = (id: bigint | undefined) => books.db.round.findUniqueOrThrow({ where: { id: id ?? 0n } });

it('CSV has a header, amounts with six decimals, and no cell that a spreadsheet runs', async () => {
  const [header, first = '', ...more] = (await exported()).trimEnd().split('\n');
  expect(header).toBe(HEADER);
  const { openedAt, endedAt } = await rowOf(ids[0]);
  expect(first).toBe(
    `${ids[0]},${openedAt.toISOString()},${endedAt?.toISOString()},completed_automatically,acme,` +
      `"'${FORMULA.replaceAll('"', '""')}",${sessionNumber},FI,a-game,1.0.0,BASE,USD,1.000000,1.000000,12.340000,1,12.34,100.000000,111.340000,,,`,
  );
  expect(more.map((line) => line.split(',').filter((_, place) => place === 0 || place === 3))).toEqual([
    [String(ids[1]), 'void'],
    [String(ids[2]), 'interrupted'],
  ]);
});

it('JSON has a line for each round, with micros and the replay URL', async () => {
  const printed = await exported('--json', '--rgs-url', 'https://rgs.example.com');
  const [{ replayURL, ...record }, ...more] = jsonLinesOf(printed);
  const { openedAt, endedAt, autoCompletedAt } = await rowOf(ids[0]);
  expect(more).toHaveLength(2);
  expect(record).toEqual({
    ...{ betID: Number(ids[0]), playerID: FORMULA, gameID: 'a-game', gameVersion: '1.0.0', operator: 'acme' },
    ...{ mode: 'BASE', currency: 'USD', status: 'completed_automatically', bookID: 1, payoutMultiplier: 12.34 },
    ...{ amount: 1_000_000, debit: 1_000_000, payout: 12_340_000, state: 'settled', interrupted: false },
    ...{ openedAt: openedAt.toISOString(), closedAt: endedAt?.toISOString() },
    ...{ sessionNumber: Number(sessionNumber), country: 'FI', autoCompletedAt: autoCompletedAt?.toISOString() },
    ...{ balanceBefore: 100_000_000, balanceAfter: 111_340_000 },
  });
  expect(parseLaunchUrl(replayURL)).toMatchObject({
    ...{ kind: 'replay', gameHost: 'https://rgs.example.com', game: 'a-game', version: '1.0.0', mode: 'BASE' },
    ...{ event: '1', amount: 1_000_000, currency: 'USD' },
  });
});

it('the filters leave rounds out', async () => {
  const betIDs = async (...args: string[]) =>
    jsonLinesOf(await exported('--json', ...args)).map(({ betID }) => BigInt(betID));
  const { openedAt } = await rowOf(ids[1]);
  expect(await betIDs('--operator', 'acme', '--game', 'a-game')).toEqual(ids);
  expect(await betIDs('--player', 'anna')).toEqual([ids[1]]);
  expect(await betIDs('--from', openedAt.toISOString())).toEqual(ids.slice(1));
  expect(await betIDs('--to', openedAt.toISOString())).toEqual(ids.slice(0, 1));
});

it('--out writes a file that only its owner reads, and none when it fails', async () => {
  const folder = await temporaryFolder('export');
  const file = path.join(folder, 'rounds.csv');
  expect(await exported('--out', file)).toBe(`3 rounds are in ${file}.\n`);
  expect((await readFile(file, 'utf8')).split('\n')[0]).toBe(HEADER);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  await writeFile(file, 'of yesterday');
  expectOneLine(await refused('--out', file, '--operator', 'nobody'), /^There is no such operator\./);
  expect(await readFile(file, 'utf8')).toBe('of yesterday');
  await expect(stat(`${file}.part`)).rejects.toThrow('ENOENT');
  expect(await exported('--from', '2100-01-01T00:00:00Z')).toBe(`${HEADER}\n`);
  expectOneLine(await refused('--out', path.join(folder, 'none', 'x.csv')), /cannot be written: ENOENT\.$/m);
});

it('a free round cost nothing, and names its grant and what its bet would have cost', async () => {
  const { accountId: accountID, gameId: gameID, id } = await rowOf(ids[2]);
  const externalId = await giveGrant(books.db, { accountID, gameID });
  const grant = await books.db.grant.findFirstOrThrow({ where: { externalId } });
  await books.db.round.update({ where: { id }, data: { grantId: grant.id } });
  const [record] = jsonLinesOf(await exported('--json', '--player', 'left'));
  expect(record).toMatchObject({ amount: 1_000_000, debit: 0, grantID: externalId, freeBet: 1_000_000 });
  const [, line = ''] = (await exported('--player', 'left')).split('\n');
  expect(line).toContain(',USD,1.000000,0.000000,');
  expect(line).toMatch(new RegExp(`,${externalId},1\\.000000$`));
});

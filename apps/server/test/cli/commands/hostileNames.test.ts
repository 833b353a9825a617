import { beforeAll, expect, it } from 'vitest';
import { giveGrant } from '../../support/grants.ts';
import { useBooks } from './books.ts';

const HOUR_MS = 3_600_000;
/** Such a name is refused at every border, but an older version may have stored it. */
const NAME = 'a\u001b[2J\nb\u009bc\u202ed';
const SHOWN = 'a\\u001b[2J\\u000ab\\u009bc\\u202ed';

const books = useBooks();

beforeAll(async () => {
  const operatorID = await books.seamlessOperator('acme', 'http://127.0.0.1:9');
  const parked = { kind: 'credit', state: 'parked', resultDetail: NAME } as const;
  const { round } = await books.round(await books.player(operatorID, NAME), [{ kind: 'debit' }, parked]);
  const externalId = await giveGrant(books.db, { accountID: round.accountId, gameID: round.gameId });
  await books.db.grant.updateMany({ where: { externalId }, data: { externalId: NAME } });
  const left = await books.round(await books.player(operatorID, `${NAME}, too`), [{ kind: 'debit' }]);
  const openedAt = new Date(Date.now() - 2 * HOUR_MS);
  await books.db.round.update({
    where: { id: left.round.id },
    data: { openedAt, endedAt: null, walletState: 'debited' },
  });
  await books.succeed('limits', NAME, '--operator', 'acme', '--currency', 'USD', '--daily-wager', '5');
});

it.each([
  'parked list',
  'rounds interrupted',
  'rounds export --operator acme',
  'free-rounds list --operator acme',
  'audit list',
])('%s shows what a stored name hides', async (words) => {
  const shown = await books.succeed(...words.split(' '));
  expect(shown).toContain(SHOWN);
  expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
});

it.each(['rounds export --operator acme --json', 'audit list --json', 'audit export'])(
  '%s has the same name for a program, and controls no terminal',
  async (words) => {
    const shown = await books.succeed(...words.split(' '));
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    const lines = shown
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ playerID, subject }) => playerID ?? subject)).toContainEqual(expect.stringContaining(NAME));
  },
);

import { openClient } from '@roundhouse/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../../../src/lab/install/installation.ts';
import { type InstallReport, sumInstall, verifyInstall } from '../../../src/lab/install/installReport.ts';
import type { Sums } from '../../../src/lab/install/manifest.ts';
import { migrate } from '../../../src/store/database/migrate.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { writeInstallation } from './writeInstallation.ts';

const NOTHING = { changed: [], missing: [], extra: [], unreadable: {} };

let place: Place;
let sums: Sums;
let made: TestDatabase;
beforeAll(async () => {
  made = await createEmptyDatabase();
  await migrate({ url: made.url });
  place = { ...(await writeInstallation('npm')).place, database: made.url };
  ({ sums } = await sumInstall(place));
});
afterAll(() => made?.drop());

/** Reports on another database of this version, after a person has changed it in SQL. */
async function reportAfter(sql: string) {
  const changed = await createTestDatabase();
  try {
    const client = await openClient(changed.url);
    await client.query(sql).finally(() => client.end());
    return await verifyInstall({ ...place, database: changed.url }, sums);
  } finally {
    await changed.drop();
  }
}

const INDEX = 'rounds_one_open_per_account_and_game';
const REPLACE = (name: string, from: string, to: string) =>
  `DO $$ BEGIN EXECUTE replace(pg_get_functiondef('${name}'::regproc), '${from}', '${to}'); END $$`;
const PRETEND = 'CREATE FUNCTION pretend() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$';

it('each database of this version has the elements of the manifest, whatever its data and settings', async () => {
  const elements = [...sums.keys()].filter((name) => name.startsWith('database/'));
  const report = await reportAfter(`
    INSERT INTO games (code) VALUES ('first');
    DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET quote_all_identifiers = on', current_database());
      EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
    END $$`);
  expect(report).toMatchObject({ ok: true, ...NOTHING, elements: elements.length });
  const kinds = new Set(elements.map((name) => name.replace(/^database\/| .*/g, '')));
  expect([...kinds].join(' ')).toBe(
    'column constraint function index postgresql sequence setting table trigger type view',
  );
});

type Change = [what: string, sql: string, ...differences: string[]];

/** Names each difference like "changed function f()". */
const foundIn = ({ changed, missing, extra }: InstallReport) =>
  Object.entries({ changed, missing, extra }).flatMap(([kind, names]) =>
    names.map((name) => `${kind} ${name.replace(/^database\//, '')}`),
  );

describe('changes in SQL:', () => {
  const changes: Change[] = [
    [
      'a changed function',
      REPLACE('lock_players', 'ORDER BY', 'ORDER BY 1 +'),
      'changed function lock_players(bigint[])',
    ],
    [
      'a second function that another call may find',
      `CREATE FUNCTION retry_period(integer) RETURNS interval LANGUAGE sql AS $$ SELECT interval '1 s' $$`,
      'extra function retry_period(integer)',
    ],
    [
      'a disabled trigger',
      'ALTER TABLE transfers DISABLE TRIGGER transfers_changed_from_outside',
      'changed trigger transfers.transfers_changed_from_outside',
    ],
    [
      'an added trigger',
      `${PRETEND}; CREATE TRIGGER pretend BEFORE INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION pretend()`,
      'extra function pretend()',
      'extra trigger transfers.pretend',
    ],
    [
      'a dropped constraint',
      'ALTER TABLE transfers DROP CONSTRAINT transfers_amount_in_range',
      'missing constraint transfers.transfers_amount_in_range',
    ],
    [
      'a constraint that old rows need not fulfil',
      `DO $$ BEGIN EXECUTE concat('ALTER TABLE rounds DROP CONSTRAINT rounds_debit_is_exact,
         ADD CONSTRAINT rounds_debit_is_exact ', pg_get_constraintdef(oid), ' NOT VALID')
         FROM pg_constraint WHERE conrelid = 'rounds'::regclass AND conname = 'rounds_debit_is_exact'; END $$`,
      'changed constraint rounds.rounds_debit_is_exact',
    ],
    [
      'a foreign key that is switched off',
      `DO $$ BEGIN EXECUTE format('ALTER TABLE accounts DISABLE TRIGGER %I', tgname) FROM pg_trigger
         WHERE tgrelid = 'accounts'::regclass AND tgisinternal
           AND tgconstraint = (SELECT oid FROM pg_constraint WHERE conname = 'accounts_player_id_fkey') LIMIT 1; END $$`,
      'changed constraint accounts.accounts_player_id_fkey',
    ],
    [
      'all triggers that are off for the role or database',
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$`,
      'changed setting session_replication_role',
    ],
    [
      'a column of another type',
      'ALTER TABLE launches ALTER external_id TYPE varchar(9)',
      'changed column launches.external_id',
    ],
    ['a default', 'ALTER TABLE operators ALTER disabled SET DEFAULT true', 'changed column operators.disabled'],
    ['a column that may be empty', 'ALTER TABLE operators ALTER name DROP NOT NULL', 'changed column operators.name'],
    [
      'a changed view',
      `DO $$ BEGIN EXECUTE concat('CREATE OR REPLACE VIEW all_transfers AS ', rtrim(pg_get_viewdef('all_transfers'::regclass), ';'), ' LIMIT 1'); END $$`,
      'changed view all_transfers',
    ],
    ['a dropped index', `DROP INDEX ${INDEX}`, `missing index ${INDEX}`],
    ['a rule', 'CREATE RULE lose AS ON DELETE TO transfers DO INSTEAD NOTHING', 'extra rule transfers.lose'],
    ['a table with policies', 'ALTER TABLE accounts ENABLE ROW LEVEL SECURITY', 'changed table accounts'],
    ['a policy that hides rows', 'CREATE POLICY hide ON accounts USING (false)', 'extra policy accounts.hide'],
    ['a table that a crash empties', 'ALTER TABLE maintenance SET UNLOGGED', 'changed table maintenance'],
    ['a sequence with other steps', 'ALTER SEQUENCE rounds_id_seq INCREMENT 2', 'changed sequence rounds_id_seq'],
    ['a value of a type', `ALTER TYPE wallet_kind ADD VALUE 'x'`, 'changed type wallet_kind'],
    ['a name with quotes, a backslash and a line end', 'CREATE TABLE "\'\\\n""" ()', "extra table '???"],
  ];
  let report: InstallReport;
  beforeAll(async () => {
    report = await reportAfter(changes.map(([, sql]) => sql).join(';\n'));
  });

  it.each(changes)('%s is named', (_, __, ...differences) => {
    expect(foundIn(report)).toEqual(expect.arrayContaining(differences));
  });

  it('nothing else is named', () => {
    expect(report).toMatchObject({ ok: false, unreadable: {} });
    expect(foundIn(report).sort()).toEqual(changes.flatMap(([, , ...differences]) => differences).sort());
  });
});

it('a database that cannot be read is one difference', async () => {
  const gone = await createEmptyDatabase();
  await gone.drop();
  const report = await verifyInstall({ ...place, database: gone.url }, sums);
  const unreadable = { database: expect.stringMatching(/^The database refuses: database ".*" does not exist\.$/) };
  expect(report).toMatchObject({ ok: false, ...NOTHING, unreadable });
});

it('a manifest without elements needs no database', async () => {
  const { sums: files } = await sumInstall({ ...place, database: undefined });
  expect(await verifyInstall({ ...place, database: undefined }, files)).toMatchObject({ ok: true, elements: 0 });
  await expect(verifyInstall({ ...place, database: undefined }, sums)).rejects.toThrow(
    'The manifest covers the database: set DATABASE_URL, or name it with --database.',
  );
});

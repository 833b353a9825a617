// Waits until the test run that started it has ended, however it ended (that closes our standard
// input), then drops its databases.
import pg from 'pg';

const { ADMIN_URL, PREFIX } = process.env;
for await (const _ of process.stdin);

const client = new pg.Client({ connectionString: ADMIN_URL });
await client.connect();
const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [PREFIX]);
for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
await client.end();

// A process that makes an operator and a game known when it is told to, as a node does that starts.
// Built code, since a process runs what is deployed.
import { openDatabase } from '../../dist/ledger/database.js';
import { publishGame } from '../../dist/ledger/queries/games.js';
import { setOperator } from '../../dist/ledger/queries/operators.js';

const db = openDatabase({ url: process.argv[2] });

async function publish({ operator, game }) {
  await setOperator(db, operator, {});
  return publishGame(db, game);
}

process.on('message', async (order) => {
  process.send(await publish(order).catch((error) => ({ error: error.message })));
});
// Nobody is left to publish for.
process.on('disconnect', () => process.exit());
// Connected, so that the next word finds it as fast as its neighbour.
await db.$queryRaw`SELECT 1`;
process.send('connected');

// This process moves players on request, and kills itself with SIGKILL at a failpoint. It runs
// built code, since a process runs what is deployed.
import { movePlayers, undoMoves } from '../../../dist/cells/movePlayers.js';
import { openDatabase } from '../../../dist/store/database/database.js';

process.once('message', async ({ urls, fleet, secretsKey, crashAt, back, ...more }) => {
  const [source, target] = urls.map((url, at) => ({
    cell: fleet.cells[at],
    db: openDatabase({ url, secretsKey, connections: 10, actor: 'person:mover' }),
  }));
  const failpoint = (name) => {
    if (name === crashAt) process.kill(process.pid, 'SIGKILL');
  };
  const run = { ...more, source, target, fleet, failpoint };
  try {
    process.send({ result: await (back ? undoMoves(run) : movePlayers(run)) });
  } catch (error) {
    process.send({ error: String(error.stack) });
  }
  await Promise.all([source, target].map(({ db }) => db.$disconnect()));
  process.disconnect();
});
process.on('disconnect', () => process.exit());

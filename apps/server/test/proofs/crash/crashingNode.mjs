// This process serves as a node on request, and kills itself with SIGKILL at a failpoint. When it
// gets 'leave off', it is ready to be another node: loading the server takes longer than most
// tests. It runs built code, since a process runs what is deployed.
import { pino } from 'pino';
import { startServer } from '../../../dist/node/server.js';
import { loadCatalogue } from '../../../dist/rounds/games/loadCatalogue.js';
import { openDatabase } from '../../../dist/store/database/database.js';
import { startTracing } from '../../../dist/watch/tracing/startTracing.js';

let leaveOff;

async function serve({ databaseUrl, gameFolder, storeFolder, crashAt, sweepMs, retries, tracing = {} }) {
  Object.assign(process.env, tracing);
  const db = openDatabase({ url: databaseUrl });
  const { catalogue } = await loadCatalogue({ db, folders: [gameFolder], storeFolder, warn: () => {} });
  const log = pino({ level: 'silent' });
  const server = await startServer({
    db,
    catalogue,
    log,
    tracing: await startTracing({ log, version: 'test' }),
    host: '127.0.0.1',
    port: 0,
    recovery: { sweepMs, retries },
    local: { operatorCode: 'house' },
    failpoint: (name) => {
      if (name === crashAt) process.kill(process.pid, 'SIGKILL');
    },
  });
  leaveOff = async () => {
    await server.close();
    await catalogue.close();
    await db.$disconnect();
    for (const name of Object.keys(tracing)) delete process.env[name];
  };
  return server.url;
}

process.on('message', async (message) => {
  if (message === 'leave off') {
    await leaveOff();
    process.send('idle');
  } else process.send({ url: await serve(message) });
});
// The parent is gone, so there is no reason to serve.
process.on('disconnect', () => process.exit());
process.send('idle');

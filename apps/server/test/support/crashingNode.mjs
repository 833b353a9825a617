// A server node that kills itself with SIGKILL at a named step of a movement. Built code, since a process runs what is deployed.
import { pino } from 'pino';
import { loadCatalogue } from '../../dist/games/loadCatalogue.js';
import { openDatabase } from '../../dist/ledger/database.js';
import { startServer } from '../../dist/server.js';

const { databaseUrl, gameFolder, storeFolder, crashAt, sweepMs } = JSON.parse(process.argv[2]);
const db = openDatabase({ url: databaseUrl });
const { catalogue } = await loadCatalogue({ db, folders: [gameFolder], storeFolder, warn: () => {} });
const server = await startServer({
  db,
  catalogue,
  log: pino({ level: 'silent' }),
  host: '127.0.0.1',
  port: 0,
  recovery: { databaseUrl, sweepMs },
  local: { operatorCode: 'house' },
  reached: (point) => {
    if (point === crashAt) process.kill(process.pid, 'SIGKILL');
  },
});
process.send({ url: server.url });
process.on('SIGTERM', async () => {
  await server.close();
  process.exit(0);
});

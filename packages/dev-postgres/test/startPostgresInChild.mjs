// Starts PostgreSQL on the given folder, sends its parent the URL, and waits until a test kills it.
import { execFileSync } from 'node:child_process';
import { startEmbeddedPostgres } from '../dist/embeddedPostgres.js';

const [dataFolder, cutLeash] = process.argv.slice(2);
const { url } = await startEmbeddedPostgres({ dataFolder });
if (cutLeash === 'true') {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const leash = processes.find(
    (line) => line.includes('roundhouse-leash') && Number(line.trim().split(/\s+/)[1]) === process.pid,
  );
  process.kill(Number(leash.trim().split(/\s+/)[0]), 'SIGKILL');
}
process.send(url);
setInterval(() => {}, 1000);

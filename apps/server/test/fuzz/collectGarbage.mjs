// Loaded before the server: SIGUSR2 collects all garbage, so that memory can be compared.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
// With an argument, such as the name of the signal, it would look at young objects only.
process.on('SIGUSR2', () => gc());

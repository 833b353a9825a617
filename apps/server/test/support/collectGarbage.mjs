// Loaded before the server: SIGUSR2 collects all garbage, so that memory can be compared.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
process.on('SIGUSR2', runInNewContext('gc'));

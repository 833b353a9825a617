import { expect, it } from 'vitest';
import { changeOf, type Server } from './postgresServer.ts';

const [DB1, DB2] = ['db1', 'db2'].map((name) => ({ name: `${name}:5432`, url: '', host: name, port: 5432 }));
const server = (host: Server['host'] | undefined, startedAt: string, timeline: string): Server => ({
  ...{ host: host as Server['host'], startedAt, timeline },
});
const before = server(DB1, '100.5', '00000001');

it.each<[what: string, now: Server, change: string, from?: Server]>([
  ['the same server after a cut network', server(DB1, '100.5', '00000001'), 'returned'],
  ['the only server after a restart', server(DB1, '200.5', '00000001'), 'restarted'],
  ['the standby of another host', server(DB2, '90.5', '00000002'), 'promoted'],
  ['a standby behind one name, as of a proxy', server(DB1, '90.5', '00000002'), 'promoted'],
  [
    'a later standby: the timeline is a hexadecimal number',
    server(DB2, '90.5', '0000000A'),
    'promoted',
    server(DB1, '1', '00000009'),
  ],
  ['another host of the same timeline, as of a shared disk', server(DB2, '200.5', '00000001'), 'moved'],
  [
    'a standby that was read from, and is the primary now',
    server(DB1, '100.5', '00000002'),
    'promoted',
    server(DB1, '100.5', ''),
  ],
  [
    'a primary after a standby of another host was read from',
    server(DB2, '90.5', '00000001'),
    'moved',
    server(DB1, '1', ''),
  ],
])('%s', (_what, now, change, from = before) => {
  expect(changeOf(from, now)).toBe(change);
});

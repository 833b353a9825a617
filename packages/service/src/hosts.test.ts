import { expect, it } from 'vitest';
import { readHosts } from './hosts.ts';

it.each<[url: string, hosts: string[], mustWrite: boolean]>([
  ['postgresql://user:p%40ss@one/name', ['one:5432'], false],
  ['postgresql://user:p@one:5433,two/name', ['one:5433', 'two:5432'], true],
  ['postgresql://one/name?target_session_attrs=primary', ['one:5432'], true],
  ['postgresql://one,two/name?target_session_attrs=any', ['one:5432', 'two:5432'], false],
])('%s has the hosts %s; takes writes only: %s', (url, hosts, mustWrite) => {
  const found = readHosts(url);
  expect(found.hosts.map(({ name }) => name)).toEqual(hosts);
  expect(found.mustWrite).toBe(mustWrite);
  for (const each of found.hosts) expect(each.url).not.toMatch(/,|target_session_attrs/);
});

it('each host keeps user, password, name and parameters', () => {
  const { hosts } = readHosts('postgresql://user:p@one,two:5433/name?application_name=node&target_session_attrs=any');
  expect(hosts.map(({ url }) => url)).toEqual([
    'postgresql://user:p@one/name?application_name=node',
    'postgresql://user:p@two:5433/name?application_name=node',
  ]);
});

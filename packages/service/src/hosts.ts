import { Client } from 'pg';
import { StartError } from './runUntilStopped.ts';

/** DATABASE_URL has one or several of these. */
export type Host = {
  /** A person reads this name, for example db1:5432. */
  name: string;
  /** It is DATABASE_URL with this address alone. */
  url: string;
  host: string;
  port: number;
};

/**
 * Reads the addresses of DATABASE_URL, which may have several hosts in libpq's form:
 * `postgresql://user:password@host1:5432,host2:5433/name?target_session_attrs=read-write`.
 */
export function readHosts(url: string): { hosts: Host[]; mustWrite: boolean } {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([a-z]+:\/\/)([^/?]*)([^?]*)\??(.*)$/i.exec(url) ?? [];
  const place = authority.lastIndexOf('@') + 1;
  const names = authority.slice(place).split(',');
  const parameters = new URLSearchParams(query);
  const target = parameters.get('target_session_attrs') ?? (names.length > 1 ? 'read-write' : 'any');
  if (!['any', 'read-write', 'primary'].includes(target)) {
    throw new StartError('target_session_attrs of the database address is one of: any, read-write, primary.');
  }
  parameters.delete('target_session_attrs');
  const rest = parameters.size === 0 ? path : `${path}?${parameters}`;
  const hosts = names.map((name) => {
    const own =
      scheme === '' || (query === '' && names.length === 1)
        ? url
        : `${scheme}${authority.slice(0, place)}${name}${rest}`;
    const { host, port } = new Client(own);
    return { name: `${host}:${port}`, url: own, host, port };
  });
  return { hosts, mustWrite: target !== 'any' };
}

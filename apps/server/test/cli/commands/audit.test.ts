import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { openClient } from '@roundhouse/service';
import { describe, expect, it } from 'vitest';
import { jsonLinesOf, succeed, temporaryFolder } from '../../support/roundhouse.ts';
import { useBooks } from './books.ts';

// eventTriggers.test.ts in test/ledger tests what the log holds, eventChain.test.ts what verify
// finds.

const books = useBooks();
const audit = (...args: string[]) => books.succeed('audit', ...args);
const jsonOf = async (...args: string[]) => jsonLinesOf(await audit('list', '--json', ...args));

const folder = await temporaryFolder('audit');

describe('roundhouse audit', () => {
  it('list shows who changed what, also without --actor', async () => {
    await books.succeed('operator', 'add', 'acme', '--actor', 'ann');
    await succeed(['operator', 'set', 'acme', '--name', 'Acme'], { env: { ...books.env, ROUNDHOUSE_ACTOR: 'bert' } });
    await books.succeed('maintenance', 'on', 'server');
    const [added, changed, on] = await jsonOf('--from', '2026-01-01T00:00:00Z', '--limit', '3');
    const addition = { kind: 'operator_changed', subject: 'operator acme', before: null };
    expect(added).toMatchObject({ actor: 'person:ann', ...addition });
    expect(changed).toMatchObject({ actor: 'person:bert', before: '{"name": "acme"}', after: '{"name": "Acme"}' });
    const maintenance = { kind: 'maintenance_started', subject: 'server' };
    expect(on).toMatchObject({ actor: `person:${os.userInfo().username}`, ...maintenance });
    expect(await audit('list', '--actor', 'bert')).toBe(
      `${changed.seq}  ${changed.at}  person:bert  operator_changed  operator acme\n` +
        '  before {"name": "acme"}\n  after {"name": "Acme"}\n',
    );
    expect(await jsonOf('--kind', 'maintenance_started')).toEqual([on]);
    expect(await jsonOf('--subject', 'acme', '--limit', '1')).toEqual([changed]);
    expect(await audit('list', '--to', '2026-01-01T00:00:00Z')).toBe('No event.\n');
  });

  it('export writes every event and the head, which verify compares later', async () => {
    const [file, head] = [path.join(folder, 'log'), path.join(folder, 'head')];
    await audit('export', '--out', file);
    await writeFile(head, await audit('export', '--head-only'));
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const last = JSON.parse(lines.at(-2) ?? '');
    expect(lines.at(-1)).toBe(JSON.stringify({ head: { seq: lines.length - 1, hash: last.hash } }));
    expect(last.seq).toBe(lines.length - 1);
    expect(await readFile(head, 'utf8')).toBe(`${lines.at(-1)}\n`);
    const whole = `The log is whole: ${lines.length - 1} events, head ${last.hash}.\n`;
    for (const each of [file, head]) expect(await audit('verify', '--head', each)).toBe(whole);
  });

  it('export sends the log to a webhook, and says when it was not taken', async () => {
    const received: string[] = [];
    let status = 204;
    const server = http.createServer(async (req: IncomingMessage, res) => {
      received.push(await text(req));
      res.writeHead(status).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/log`;
    expect(await audit('export', '--webhook', url)).toBe('');
    expect(received).toEqual([await audit('export')]);
    status = 500;
    await books.expectRefused(`audit export --webhook ${url}`, /did not take the log: status 500\.$/m);
    server.close();
    server.closeAllConnections();
    await books.expectRefused(`audit export --webhook ${url}`, /^The log cannot be sent to .*ECONNREFUSED\.$/m);
  });

  it('verify names what is wrong, with exit code 1', async () => {
    const head = path.join(folder, 'head-before');
    await writeFile(head, await audit('export', '--head-only'));
    const tamperer = await openClient(books.url);
    await tamperer.query('SET session_replication_role = replica');
    await tamperer.query("UPDATE significant_events SET actor = 'person:nobody' WHERE seq = 2");
    await tamperer.query('DELETE FROM significant_events WHERE seq = (SELECT max(seq) FROM significant_events)');
    await tamperer.end();
    const { code, stdout } = await books.run('audit', 'verify', '--head', head);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^event 2 was changed\nevent (\d+) was removed\nevent \1 was removed after the head was exported\nThe log is NOT whole: \d+ events/,
    );
  });
});

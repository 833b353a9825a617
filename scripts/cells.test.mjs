// The example of two cells beside compose.yaml: its parts name each other, and nothing that is not
// there.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseFleetFile } from '../packages/fleet/src/index.ts';
import { root } from './bootstrap.mjs';

const read = (file) => readFileSync(path.join(root, file), 'utf8');
const base = parse(read('compose.yaml'), { merge: true }).services;
const text = read('deploy/cells/compose.yaml');
const { services: added } = parse(text, { merge: true });
const environment = { POSTGRES_PASSWORD: 'x' };
const environmentOf = (name) => ({ ...base[name]?.environment, ...added[name]?.environment });
const filled = (value) => value.replace(/\$\{(\w+):[-?]([^}]*)\}/g, (_, name, other) => environment[name] ?? other);
const fleet = parseFleetFile(read('deploy/cells/fleet.yaml'), {
  file: 'fleet.yaml',
  environment: Object.fromEntries(
    Object.entries(added.migrate.environment).map(([name, value]) => [name, filled(value)]),
  ),
});
const nodesOf = (cell) => cell.nodes.map((url) => new URL(url).hostname);
const caddyfile = read('deploy/cells/Caddyfile');

it('each node is of one cell: its database, its public name and its proxy are those of the cell', () => {
  expect(fleet.cells.map(({ name }) => name)).toEqual(['eu-1', 'eu-2']);
  for (const cell of fleet.cells) {
    for (const node of nodesOf(cell)) {
      const { DATABASE_URL, ROUNDHOUSE_PUBLIC_URL } = environmentOf(node);
      expect(filled(DATABASE_URL)).toBe(cell.databaseUrl);
      expect(filled(ROUNDHOUSE_PUBLIC_URL)).toBe(`https://${cell.name}.rgs.localhost`);
    }
    const upstreams = nodesOf(cell)
      .map((node) => `${node}:4000`)
      .join(' ');
    const { port } = new URL(cell.url);
    expect(caddyfile).toMatch(new RegExp(`http://:${port} \\{\n\treverse_proxy ${upstreams} `));
    expect(caddyfile).toMatch(
      new RegExp(`\n${cell.name}\\.\\{\\$RGS_HOST:[^}]+\\} \\{\n\timport private\n\treverse_proxy ${upstreams} `),
    );
  }
  expect(new Set(fleet.cells.map(({ databaseUrl }) => databaseUrl)).size).toBe(2);
});

it('all nodes are handed the same variables, but the console is of the first cell', () => {
  const isOfConsole = (name) => /_(CONSOLE|OIDC|TWO_PERSON|SECOND_FACTOR)/.test(name);
  const [first, second] = fleet.cells.map((cell) => Object.keys(environmentOf(nodesOf(cell)[0])).sort());
  expect(second).toEqual(first.filter((name) => !isOfConsole(name)));
});

it('all nodes have one key for secrets', () => {
  const keys = fleet.cells.flatMap(nodesOf).map((node) => environmentOf(node).ROUNDHOUSE_SECRETS_KEY);
  expect(new Set(keys).size).toBe(1);
});

it('the operator launches at the router, is set up in both cells, and shows the games of both', () => {
  const { ROUNDHOUSE_OPERATOR_RGS_URL, ROUNDHOUSE_OPERATOR_GAME_ORIGINS } = environmentOf('operator');
  const { hostname, port } = new URL(ROUNDHOUSE_OPERATOR_RGS_URL);
  expect(added[hostname].command).toEqual(expect.arrayContaining(['route', '--port', port]));
  expect(filled(ROUNDHOUSE_OPERATOR_GAME_ORIGINS).split(',')).toEqual(
    fleet.cells.map(({ name }) => `https://${name}.rgs.localhost`),
  );
  const databases = ['operator-setup', 'operator-setup-2'].map((name) => filled(environmentOf(name).DATABASE_URL));
  expect(databases).toEqual(fleet.cells.map(({ databaseUrl }) => databaseUrl));
});

it('Prometheus knows each node with its cell, and the router', () => {
  const { scrape_configs: jobs } = parse(read('deploy/cells/prometheus.yaml'));
  const [nodes, routers] = jobs;
  expect(nodes.static_configs).toEqual(
    fleet.cells.map((cell) => ({
      targets: nodesOf(cell).map((node) => `${node}:4000`),
      labels: { cell: cell.name },
    })),
  );
  expect(routers.static_configs).toEqual([{ targets: ['router:4010'] }]);
});

it('every variable is in .env.example, and every file that a service mounts is there', () => {
  const known = new Set([...read('.env.example').matchAll(/^#?([A-Z][A-Z_]*)=/gm)].map(([, name]) => name));
  const used = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name]) => name);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
  const mounts = Object.values(added).flatMap(({ volumes = [] }) => volumes);
  const files = mounts.map((mount) => mount.split(':')[0]).filter((source) => source.startsWith('./'));
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect(read(file).length).toBeGreaterThan(0);
});

it('HAProxy has a name for each cell and one for the routers', () => {
  const config = read('deploy/cells/haproxy.cfg');
  const backends = [...config.matchAll(/^backend (.*)$/gm)].map(([, name]) => name);
  expect(backends).toEqual([...fleet.cells.map(({ name }) => name), 'routers']);
  const used = [...config.matchAll(/use_backend (\S+)/g)].map(([, name]) => name);
  expect([...new Set(used)].sort()).toEqual([...backends].sort());
});

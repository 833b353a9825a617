import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../apps/operator/src/config.ts';
import { root } from './bootstrap.mjs';

// A start of the command takes long on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const read = (file) => readFileSync(path.join(root, file), 'utf8');

/**
 * Each variable has the comment above it and what it is set to, or what its commented-out line
 * shows.
 */
const variables = [...read('.env.example').matchAll(/((?:^# .*\n)+)^(#?)([A-Z][A-Z_]*)=(.*)$/gm)].map(
  ([, comment, hash, name, value]) => ({
    comment: comment.replace(/\n?# /g, ' ').trim(),
    isSet: hash === '',
    name,
    value,
  }),
);
const names = variables.map(({ name }) => name);

const matchesIn = (file, pattern) => [...new Set([...read(file).matchAll(pattern)].map(([, name]) => name))];
const readByConfig = (file) => matchesIn(file, /'((?:ROUNDHOUSE|DATABASE)_[A-Z_]+)'/g);
const readByCompose = () => matchesIn('compose.yaml', /(?<!\$)\$\{([A-Z_]+)/g);
/**
 * The help of a command names the variable of each option; secrets and single sign-on have none.
 */
const HELP_OF_SERVE = helpOf('serve');
const HELP_OF_ROUTE = helpOf('route');
const SINGLE_SIGN_ON = ['DISCOVERY_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'CLIENT_SECRET_FILE', 'NAME', 'ONLY'].map(
  (name) => `ROUNDHOUSE_OIDC_${name}`,
);
const inHelp = (help) => [...help.matchAll(/env:\s+([A-Z_]+)\)/g)].map(([, name]) => name);
const SERVER = [
  ...new Set([...inHelp(HELP_OF_SERVE), ...inHelp(HELP_OF_ROUTE)]),
  'ROUNDHOUSE_SECRETS_KEY',
  ...SINGLE_SIGN_ON,
];
const TRACES = names.filter((name) => name.startsWith('OTEL_'));
const OPERATOR = readByConfig('apps/operator/src/config.ts');

it('.env.example has each variable that is read, once, and no other', () => {
  expect(SERVER).toContain('ROUNDHOUSE_TRUSTED_PROXIES');
  expect(OPERATOR).toContain('ROUNDHOUSE_OPERATOR_SECRET');
  const wanted = new Set([...SERVER, ...OPERATOR, ...readByCompose()]);
  expect([...names].sort()).toEqual([...wanted].sort());
  expect(read('.env.example').match(/^#?[A-Z_]+=/gm)).toHaveLength(names.length);
});

it.each(variables.map((variable) => [variable.name, variable]))(
  '%s has a unit, and a default or is required',
  (_, { comment }) => {
    expect(comment).toMatch(/\. Unit: .+\. (Default: .+|Required)\.$/);
  },
);

it('only what has to be filled in is set, so that a copy changes no default', () => {
  expect(variables.filter(({ isSet }) => isSet).map(({ name, value }) => [name, value])).toEqual([
    ['POSTGRES_PASSWORD', ''],
    ['ROUNDHOUSE_SECRETS_KEY', ''],
    ['ROUNDHOUSE_OPERATOR_SECRET', ''],
  ]);
});

it('the defaults of the operator are the true ones', () => {
  const required = {
    DATABASE_URL: 'postgresql://127.0.0.1/x',
    ROUNDHOUSE_OPERATOR_SECRET: 'a-secret-of-this-test',
    ROUNDHOUSE_OPERATOR_RGS_URL: 'http://127.0.0.1:4000',
  };
  expect(readConfig([], { ...shownFor(OPERATOR), ...required })).toEqual(readConfig([], required));
});

it('the defaults of the server are the true ones', () => {
  const defaults = Object.fromEntries(
    [...`${HELP_OF_SERVE}${HELP_OF_ROUTE}`.matchAll(/default: "?([^",]*)"?, env: ([A-Z_]+)\)/g)].map(
      ([, value, name]) => [name, value],
    ),
  );
  // The default is a property of the machine.
  delete defaults.ROUNDHOUSE_WORKERS;
  expect(defaults).toHaveProperty('ROUNDHOUSE_TRUSTED_PROXIES');
  expect(shownFor(SERVER)).toMatchObject(defaults);
});

it.each([
  ['server-1', inHelp(HELP_OF_SERVE).concat('ROUNDHOUSE_SECRETS_KEY', SINGLE_SIGN_ON, TRACES)],
  ['operator', OPERATOR],
])('compose.yaml hands on to %s every variable but those of which .env.example says otherwise', (service, list) => {
  const { environment } = parse(read('compose.yaml'), { merge: true }).services[service];
  const saysOtherwise = ({ comment }) => /compose\.yaml (sets|expects)|; \S+ in the image\./.test(comment);
  const isHandedOn = ({ name }) => String(environment[name]).startsWith(`\${${name}:`);
  const missing = variables.filter((each) => list.includes(each.name) && !saysOtherwise(each) && !isHandedOn(each));
  expect(missing.map(({ name }) => name)).toEqual([]);
  expect(Object.keys(environment).filter((name) => !list.includes(name))).toEqual([]);
});

it('the proxy reads what compose.yaml gives it', () => {
  // REQUEST_BUFFERS is for a Caddy older than the one in the image.
  for (const name of matchesIn('deploy/Caddyfile', /\{\$((?!REQUEST_BUFFERS)[A-Z_]+)/g)) {
    expect(read('compose.yaml')).toContain(`      ${name}: \${${name}:-`);
  }
});

function shownFor(list) {
  return Object.fromEntries(
    variables.filter(({ name }) => list.includes(name)).map(({ name, value }) => [name, value]),
  );
}

function helpOf(name) {
  const command = path.join(root, 'apps', 'server', 'bin', 'roundhouse.js');
  const env = { PATH: process.env.PATH, COLUMNS: '400' };
  return execFileSync(process.execPath, [command, name, '--help'], { cwd: root, env, encoding: 'utf8' });
}

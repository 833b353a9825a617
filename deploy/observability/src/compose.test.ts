import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { programPath } from './programs.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const { services, volumes } = parse(read('compose.yaml'), { merge: true });
const { prometheus, grafana } = services;
const config = parse(read('deploy/observability/prometheus.yaml'));

/** Returns the folder or file of this repository that the container sees there. */
function mounted(service: { volumes: string[] }, target: string): string | undefined {
  return service.volumes.map((volume) => volume.split(':')).find(([, inside]) => inside === target)?.[0];
}

it('promtool accepts the configuration and its rules', () => {
  const args = ['check', 'config', `${ROOT}deploy/observability/prometheus.yaml`];
  expect(execFileSync(programPath('promtool'), args, { encoding: 'utf8' })).toContain('SUCCESS: 1 rule files found');
});

it('each node is scraped, on the port of the image', () => {
  const nodes = Object.keys(services).filter((name) => services[name].environment?.ROUNDHOUSE_DRAIN_SECONDS);
  const port = /ROUNDHOUSE_LISTEN_PORT=(\d+)/.exec(read('Dockerfile'))?.[1];
  expect(config.scrape_configs).toEqual([
    { job_name: 'roundhouse', static_configs: [{ targets: nodes.map((node) => `${node}:${port}`) }] },
  ]);
});

it('both services run with their profile only, and mount what exists', () => {
  for (const service of [prometheus, grafana]) {
    expect(service.profiles).toEqual(['observability']);
    for (const volume of service.volumes as string[]) {
      const [source = ''] = volume.split(':');
      expect(source.startsWith('./') ? existsSync(`${ROOT}${source}`) : source in volumes).toBe(true);
    }
  }
  expect(mounted(prometheus, '/etc/prometheus/rules.yaml')).toBe('./deploy/observability/rules.yaml');
});

it('Grafana finds Prometheus, the dashboards and its home', () => {
  const folder = 'deploy/observability/grafana';
  expect(mounted(grafana, '/etc/grafana/provisioning')).toBe(`./${folder}`);
  const { datasources } = parse(read(`${folder}/datasources/prometheus.yaml`));
  expect(datasources).toMatchObject([
    { url: 'http://prometheus:9090', jsonData: { timeInterval: config.global.scrape_interval } },
  ]);
  const { providers } = parse(read(`${folder}/dashboards/roundhouse.yaml`));
  const path = providers[0].options.path;
  expect(mounted(grafana, path)).toBe('./deploy/observability/dashboards');
  const home: string = grafana.environment.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH;
  expect(existsSync(home.replace(path, `${ROOT}deploy/observability/dashboards`))).toBe(true);
});

it('Grafana does not start without a password; everything else does', () => {
  const [shell, ...args] = grafana.entrypoint.map((part: string) => part.replaceAll('$$', '$'));
  const start = (password: string) =>
    spawnSync(shell, args, { env: { GF_SECURITY_ADMIN_PASSWORD: password }, encoding: 'utf8' });
  expect(start('')).toMatchObject({ status: 1, stderr: 'set GRAFANA_PASSWORD in .env\n' });
  // Here there is no /run.sh.
  expect(start('secret').stderr).toMatch(/run\.sh/);
  expect(grafana.environment.GF_SECURITY_ADMIN_PASSWORD).toMatch(/^\$\{GRAFANA_PASSWORD:-\}$/);
});

it('Prometheus has no login, so only this machine reaches it', () => {
  expect(prometheus.ports).toEqual(['127.0.0.1:9090:9090']);
});

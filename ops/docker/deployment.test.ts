import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const HAPROXY = '/usr/sbin/haproxy';
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const root = JSON.parse(read('../../package.json'));
const server = JSON.parse(read('../../server/package.json'));

describe('the image', () => {
  const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('is built and run on the Node 24 that the suite runs on too', () => {
    const [, version] =
      /^ARG NODE=(24\.[\d.]+)-/.exec(lines.find((line) => line.startsWith('ARG')) ?? '') ?? [];

    expect(root.scripts['test:nodes']).toContain(`node@${version} `);
    expect(lines.filter((line) => line.startsWith('FROM'))).toEqual([
      `FROM node:\${NODE} AS build`,
      `FROM node:\${NODE}`,
    ]);
  });

  it('runs the package’s program as a user who owns nothing of it', () => {
    expect(last.filter((line) => line.startsWith('USER'))).toEqual(['USER 1000:1000']);
    expect(last.filter((line) => /^(COPY|ADD)/.test(line))).toEqual(['COPY --from=build /installed ./']);
    expect(last).toContain(`ENTRYPOINT ["node", "${server.bin['trust-directory-server']}"]`);
    expect(last.find((line) => line.startsWith('HEALTHCHECK'))).toContain('/readyz');
  });

  it('is built from every package that the lock file knows, and from no test', () => {
    const ignored = read('Dockerfile.dockerignore').split('\n');

    for (const name of root.workspaces)
      expect(ignored.some((line) => line === `!${name}` || line === `!${name}/package.json`)).toBe(true);
    expect(ignored).toEqual(expect.arrayContaining(['**/node_modules', '**/*.test.ts', 'server/testing']));
  });
});

describe('the services of compose.yaml', () => {
  const { services, networks } = parse(read('compose.yaml'));
  const { server: ours } = services;

  it('are two servers that nobody reaches but by HAProxy', () => {
    expect(ours.deploy.replicas).toBe(2);
    const open = Object.keys(services).filter((name) => services[name].ports);
    expect(open).toEqual(['balancer']);
    expect(read('haproxy.cfg')).toContain(' server:4000 check');
    expect(ours.environment.TRUST_PROXY).toBe(networks.front.ipam.config[0].subnet);
  });

  it('set variables that the server knows', () => {
    const known = [...read('../../server/docs/configure.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
      ([, name]) => name,
    );

    for (const name of Object.keys(ours.environment)) expect(known).toContain(name);
  });

  it('name the version of every image', () => {
    const images = Object.values<{ image?: string }>(services).flatMap(({ image }) => image ?? []);

    expect(images).toHaveLength(3);
    for (const image of images) expect(image).toMatch(/:\d+(\.\d+)?-bookworm$/);
  });

  it.each(['server', 'balancer', 'limits'])('let %s write nothing and become nobody else', (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });
});

it.skipIf(!existsSync(HAPROXY))("HAProxy takes its settings: needs Debian's haproxy", () => {
  const settings = fileURLToPath(new URL('haproxy.cfg', import.meta.url));

  expect(() => execFileSync(HAPROXY, ['-c', '-f', settings], { stdio: 'pipe' })).not.toThrow();
});

it('has as much room for young objects wherever it is started', () => {
  const room = '--max-semi-space-size=64';

  expect(root.scripts.start).toContain(` ${room} `);
  expect(read('Dockerfile').split('\n')).toContain(`ENV NODE_OPTIONS=${room}`);
  expect(read('../systemd/trust-directory.service').split('\n')).toContain(
    `Environment=NODE_OPTIONS=${room}`,
  );
});

it('the server has 60 s to end, wherever it runs: it gives up what is under way after 55', () => {
  const { services } = parse(read('compose.yaml'));
  const unit = read('../systemd/trust-directory.service');

  expect(services.server.stop_grace_period).toBe('60s');
  expect(unit).toMatch(/^TimeoutStopSec=60$/m);
  expect(unit).toMatch(/^ExecStart=\/usr\/local\/bin\/trust-directory-server serve$/m);
  expect(Object.keys(server.bin)).toEqual(['trust-directory-server']);
});

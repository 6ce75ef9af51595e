import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const sdk = JSON.parse(read('sdk/package.json'));
const root = JSON.parse(read('package.json'));

/** URL of the project, from package.json. */
const HOME = sdk.repository.url.replace(/^git\+|\.git$/g, '');
const PAGES = [
  'README.md',
  'sdk/README.md',
  'sdk/docs/mock.md',
  'sdk/docs/command-line.md',
  'sdk/docs/check.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
];

describe('what the registry shows', () => {
  it('links to the repository, its issues and the package within it', () => {
    expect(HOME).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+$/);
    expect(sdk.repository).toEqual({ type: 'git', url: `git+${HOME}.git`, directory: 'sdk' });
    expect(sdk.homepage).toBe(`${HOME}/tree/main/sdk#readme`);
    expect(sdk.bugs).toEqual({ url: `${HOME}/issues` });
    expect(root.repository.url).toBe(sdk.repository.url);
    expect(sdk.keywords.length).toBeGreaterThan(4);
  });

  it('has links that work from its page: none is relative', () => {
    for (const page of ['sdk/README.md', 'sdk/CHANGELOG.md']) {
      const links = [...read(page).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
      expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([]);
    }
  });

  it.each(PAGES)('%s links within the repository only to what is there', (page) => {
    const links = [...read(page).matchAll(/\]\((https:\/\/github\.com\/trust-directory\/[^)#]+)/g)];
    for (const [, link = ''] of links) {
      expect(link.startsWith(HOME)).toBe(true);
      const [, path] = /\/(?:blob|tree)\/main\/(.+)$/.exec(link) ?? [];
      if (path) expect(existsSync(join(ROOT, path)), path).toBe(true);
    }
  });
});

describe('what comes with it', () => {
  it('is the same license in the repository and in the package', () => {
    expect(read('LICENSE')).toMatch(/^MIT License\n\nCopyright \(c\) \d{4} Trust Directory contributors\n/);
    expect(read('sdk/LICENSE')).toBe(read('LICENSE'));
    expect([sdk.license, root.license]).toEqual(['MIT', 'MIT']);
  });

  it('says how to report a vulnerability and how to contribute', () => {
    expect(read('SECURITY.md')).toContain(`${HOME}/security/advisories/new`);
    expect(read('CONTRIBUTING.md')).toContain(`${HOME}/issues`);
    for (const file of ['SECURITY.md', 'CONTRIBUTING.md', 'LICENSE'])
      expect(read('README.md')).toContain(`(${file})`);
  });
});

it('the workflow publishes by the registry’s trusted publishing, without a token', () => {
  const text = read('.github/workflows/release.yml');
  const { permissions, jobs } = parse(text);

  expect(permissions).toEqual({ contents: 'read' });
  expect(jobs.publish.permissions['id-token']).toBe('write');
  expect(text).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
  expect(jobs.publish.needs).toBe('gate');
  expect(jobs.gate.if).toBe(`github.repository == '${new URL(HOME).pathname.slice(1)}'`);
  const versions = jobs.publish.steps.map(
    (step: { with?: Record<string, unknown> }) => step.with?.['node-version'],
  );
  expect(Number(versions.findLast(Boolean))).toBeGreaterThanOrEqual(24);
  expect(sdk.publishConfig).toEqual({ access: 'public', provenance: true });
});

it('the sources of the published modules are mapped', () => {
  const config = read('sdk/tsdown.config.ts');

  expect(config.match(/sourcemap: true/g)).toHaveLength(2);
  expect(sdk.files).toEqual(expect.arrayContaining(['dist/*.map']));
});

describe('a script that uses the tools of checks/', () => {
  it('installs them first, as a fresh checkout has none', () => {
    const scripts: Record<string, string> = sdk.scripts;

    expect(scripts.docs).toContain('../checks/');
    expect(scripts.predocs).toBe('../.ci/install checks');
  });

  it('and the table of folders names the mock where it is', () => {
    const [client, tests] = read('README.md').match(/^\| `(?:sdk|contract-tests)\/`.*$/gm) ?? [];

    expect(client).toContain('`sdk/mock/`');
    expect(existsSync(join(ROOT, 'sdk/mock'))).toBe(true);
    expect(tests).not.toContain('the mock itself');
  });
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrustDirectory } from '@trust-directory/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agent, dryRun, freshRun, KEY, operationError, replay, subject } from '../../sdk/test/samples.ts';
import { type Reply, type StandIn, standIn } from '../../sdk/test/stand-in.ts';
import { budgetGuard } from './budget-guard.ts';
import type { Example } from './example.ts';
import { gateInstall } from './gate-install.ts';
import { lineagePicture } from './lineage-picture.ts';
import { badge } from './readme-badge.ts';
import { registerFromCi } from './register-from-ci.ts';
import { resumeRun } from './resume-run.ts';
import { scanLockfile, subjectsIn } from './scan-lockfile.ts';

const record = {
  ...subject,
  trustScore: 60.8,
  confidence: 48.2,
  tier: 'medium',
  score_version: new Date().toISOString(),
};

/** Runs a program on a service that gives these answers, without retries. */
async function runOn(server: StandIn, example: Example, ...args: string[]) {
  const lines: string[] = [];
  const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY, maxRetries: 0 });
  const error = await example(client, (line) => lines.push(line), ...args).then(
    () => null,
    (reason) => reason,
  );
  return { error, output: lines.join('\n') };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'trust-directory-programs-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

describe('gate-install', () => {
  it('rejects with every reason against the subject', async () => {
    const server = await standIn({ body: record });

    const { error, output } = await runOn(server, gateInstall, 'a/b', '70', '50');

    expect(error).toMatchObject({
      name: 'PolicyError',
      reasons: [{ code: 'low_trust' }, { code: 'low_confidence' }],
    });
    expect(output).toBe('');
  });

  it('rejects where nobody can be asked', async () => {
    const { error } = await runOn(await standIn({ instead: 'reset' }), gateInstall, 'a/b');

    expect(error).toMatchObject({ name: 'ConnectionError' });
  });
});

describe('budget-guard', () => {
  const paid: Reply = { body: { ...dryRun, charge_source: 'purchased', price_credits: 10 } };
  const ran: Reply = { body: { ...freshRun, charge_source: 'purchased' } };

  it('stops before the run that would overspend', async () => {
    const server = await standIn(paid, ran, paid);

    const { output } = await runOn(server, budgetGuard, '15', 'a/b', 'a/c', 'a/d');

    expect(server.seen).toHaveLength(3);
    expect(output).toContain('would cost 10 purchased credits; 5 are left. 2 not scored.');
  });

  it('counts what was paid where a free call was promised', async () => {
    const server = await standIn(
      { body: dryRun },
      ran,
      { body: { ledger_id: 'x', price_credits: 10 } },
      paid,
    );

    const { output } = await runOn(server, budgetGuard, '15', 'a/b', 'a/c');

    expect(output).toContain('5 are left');
  });
});

describe('resume-run', () => {
  it('goes on under the same key after a crash, and reads the stored score', async () => {
    const path = join(await folder(), 'pending.json');
    const server = await standIn({ instead: 'reset' }, { body: replay }, { body: record });

    const crashed = await runOn(server, resumeRun, 'a/b', path);
    const resumed = await runOn(server, resumeRun, 'another/one', path);

    expect(crashed.error).toMatchObject({ name: 'ConnectionError' });
    expect(server.seen[1]?.body).toEqual(server.seen[0]?.body);
    expect(resumed.output).toContain(`trust 60.8, confidence 48.2 is stored,\nreceipt ${replay.ledger_id}`);
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });
});

describe('scan-lockfile', () => {
  it('names each package once, by its repository where it comes from one', () => {
    const packages = {
      '': {},
      'workspaces/own': {},
      'node_modules/own': { link: true },
      'node_modules/plain': { resolved: 'https://registry.npmjs.org/plain/-/plain-1.0.0.tgz' },
      'node_modules/plain/node_modules/@scope/inner': {},
      'node_modules/other/node_modules/plain': {},
      'node_modules/fork': { resolved: 'git+ssh://git@github.com/example-labs/fork.git#1f0c2e' },
    };

    expect(subjectsIn({ packages })).toEqual(['npm:plain', 'npm:@scope/inner', 'example-labs/fork']);
  });

  it('lists what is known, the least trusted first', async () => {
    const path = join(await folder(), 'package-lock.json');
    const names = ['node_modules/a', 'node_modules/b', 'node_modules/c'];
    await writeFile(path, JSON.stringify({ packages: Object.fromEntries(names.map((name) => [name, {}])) }));
    const unknown = { status: 404, body: { error: 'not_found', message: 'Nobody.', status: 404 } };
    const server = await standIn({ body: record }, { body: { ...record, trustScore: 12 } }, unknown);

    const { output } = await runOn(server, scanLockfile, path);

    expect(output).toMatch(/trust 12\.0.*\n.*trust 60\.8.*\nThe directory knows 2 of 3 packages\.$/);
  });
});

describe('pictures', () => {
  it('hold no markup that a stranger chose', async () => {
    const root = { ...agent, name: '<script>alert("&")</script>' };
    const server = await standIn({ body: { root, ancestors: [], descendants: [], depth: 0 } });

    const { output } = await runOn(server, lineagePicture, agent.id);

    expect(output).not.toContain('<script>');
    expect(output).toContain('&lt;script&gt;alert(&quot;&amp;&quot;)');
  });

  it('draw every relative once, a line from each to its parent', async () => {
    const node = (id: string, parentId: string | null) => ({
      agent: { ...agent, id },
      parentId,
      trustEquityFlow: 0,
    });
    const body = {
      root: agent,
      ancestors: [node('AGT-MOTHER00', null)],
      descendants: [node('AGT-SON00000', agent.id), node('AGT-GRANDSON', 'AGT-SON00000')],
      depth: 3,
    };

    const { output } = await runOn(await standIn({ body }), lineagePicture, agent.id);

    expect(output.match(/<rect/g)).toHaveLength(4);
    expect(output.match(/<path/g)).toHaveLength(3);
  });

  it('say that there is no score, never zero', () => {
    expect(badge({ ...record, trustScore: null, confidence: null })).toContain('trust: not scored yet');
  });
});

describe('register-from-ci', () => {
  const url = 'https://github.com/example-labs/changelog-agent';

  it('is content with a repository that is listed already', async () => {
    const server = await standIn({
      status: 409,
      body: { error: 'already_registered', message: 'It is listed.', status: 409 },
    });

    expect(await runOn(server, registerFromCi, url)).toEqual({
      error: null,
      output: `${url} is listed already.`,
    });
    expect(server.seen[0]?.body).toMatchObject({
      repoHostUrl: url,
      name: 'changelog-agent',
      category: 'other',
    });
  });

  it('fails with everything else', async () => {
    const server = await standIn({ status: 403, body: operationError('insufficient_scope') });

    expect((await runOn(server, registerFromCi, url)).error).toMatchObject({ name: 'ForbiddenError' });
  });
});

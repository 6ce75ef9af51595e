import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly uses?: string;
  readonly needs?: string;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = new URL('../.github/workflows/', import.meta.url);
const files = readdirSync(FOLDER).filter((name) => /\.ya?ml$/.test(name));
const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
const workflowOf = (name: string) => parse(textOf(name)) as Workflow;
const stepsOf = (workflow: Workflow) => Object.values(workflow.jobs).flatMap(({ steps = [] }) => steps);

/** Matches a workflow of this repository. */
const LOCAL = /^\.\/\.github\/workflows\/[\w-]+\.yml$/;
const BY_COMMIT = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

describe.each(files)('the workflow %s', (name) => {
  it('names every action by its commit, since a tag may be moved', () => {
    const used = [...textOf(name).matchAll(/^\s*(?:- )?uses: *(.+)$/gm)].map(([, action = '']) => action);

    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !LOCAL.test(action) && !BY_COMMIT.test(action))).toEqual([]);
  });

  it('may read the repository and nothing else, but in the job that publishes', () => {
    const { permissions, jobs } = workflowOf(name);
    const writing = Object.entries(jobs).filter(([, job]) =>
      Object.values(job.permissions ?? {}).some((right) => right !== 'read'),
    );

    expect(permissions).toEqual({ contents: 'read' });
    expect(writing.map(([job]) => job)).toEqual(name === 'release.yml' ? ['publish'] : []);
  });
});

it('pull requests run the gate, with the rights of who sends them', () => {
  const gate = workflowOf('gate.yml');

  expect(Object.keys(gate.on)).toEqual(['pull_request', 'workflow_call']);
  expect(stepsOf(gate).map(({ run }) => run)).toContain('.ci/run');
});

it('what publishes comes after the gate, and runs none of its tests', () => {
  const { jobs } = workflowOf('release.yml');

  expect(jobs.gate?.uses).toBe('./.github/workflows/gate.yml');
  expect(jobs.publish?.needs).toBe('gate');
  expect(jobs.publish?.steps?.map(({ run }) => run).filter(Boolean)).toEqual(['npm ci --no-audit --no-fund']);
});

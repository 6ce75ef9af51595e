import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repositoryFacts as anyFacts } from '../../../testing/scoring/arbitrary-facts.ts';
import { daysAgo, repositoryFacts } from '../../../testing/scoring/golden-vectors.ts';
import { leaveOutDescription, leaveOutSources, maskOfLeaks } from './score-listing.ts';

const from = <Value>(source: string, value: Value) => ({ value, observedAt: daysAgo(0), source });
const METADATA = { description: true, tags: true, category: true, homepage: false, skillManifest: null };

describe('facts without a source', () => {
  it('lose what was read from it, and keep the rest', () => {
    const facts = repositoryFacts({
      stars: from('acme/list', 10),
      forks: from('other/list', 2),
      metadata: from('registry', METADATA),
      repositoryCreatedAt: daysAgo(400),
    });

    expect(leaveOutSources(facts, new Set(['acme/list']))).toEqual({ ...facts, stars: null });
    expect(leaveOutSources(facts, new Set())).toEqual(facts);
  });

  it('are only those without a source if every source is left out', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { repositoryCreatedAt, archived, deprecated, parents } = facts;

        expect(leaveOutSources(facts, new Set(['test']))).toEqual(
          repositoryFacts({ repositoryCreatedAt, archived, deprecated, parents }),
        );
      }),
    );
  });

  it('lose the description alone', () => {
    const facts = repositoryFacts({ metadata: from('registry', METADATA) });

    expect(leaveOutDescription(facts).metadata?.value).toEqual({ ...METADATA, description: null });
    expect(leaveOutDescription(repositoryFacts())).toEqual(repositoryFacts());
  });
});

it('a mask has the sources of all leaks, and names those that it does not know', () => {
  const mask = maskOfLeaks([
    'mcpRegistryGithubNamespace already gives repoHost 1',
    'presence in curated registries',
    'presence in curated registries',
    'stars bought',
  ]);

  expect(mask.sources).toContain('mcp_registry');
  expect(mask.sources).toContain('docker/mcp-registry');
  expect(mask.sources).not.toContain('registry');
  expect(mask.unknown).toEqual(['stars bought']);
  expect([...maskOfLeaks(['mcpRegistryGithubNamespace already gives repoHost 1']).sources]).toEqual([
    'mcp_registry',
  ]);
  expect(maskOfLeaks([])).toEqual({ sources: new Set(), unknown: [] });
});

import { describe, expect, it } from 'vitest';
import { whyMissing } from '../../scoring/explanations/signal-labels.ts';
import type { Contribution } from '../../scoring/scoring-backend.ts';
import { isUndated, signalSource } from './signal-sources.ts';

const PLACES = {
  host: 'github.com',
  repositoryUrl: 'https://github.com/acme/robot',
  npmPackage: '@acme/robot',
  creator: { handle: 'acme', path: '/c/acme' },
  apiPath: '/api/agents/AGT-0A1B2C3D',
  partOf: null,
};

describe('the source of a fact', () => {
  it.each([
    ['github.com', 'stars', 'GitHub', 'https://github.com/acme/robot'],
    ['npm', 'stars', 'npm', 'https://www.npmjs.com/package/@acme/robot'],
    [
      'mcp_registry',
      'creator_accounts',
      'the MCP registry',
      'https://registry.modelcontextprotocol.io/v0.1/servers?search=io.github.acme%2F',
    ],
    ['linked_accounts', 'creator_age', 'accounts proved here', '/c/acme#accounts'],
    ['registry', 'verified_listing', 'this directory', '/c/acme#accounts'],
    ['registry', 'lineage', 'this directory', '#lineage'],
    ['registry', 'portfolio', 'this directory', '#listings'],
    ['registry', 'license', 'one of its lists', '/api/agents/AGT-0A1B2C3D'],
    ['registry', 'metadata', 'this directory', '/api/agents/AGT-0A1B2C3D'],
    ['EvanLi/Github-Ranking', 'stars', 'EvanLi/Github-Ranking', 'https://github.com/EvanLi/Github-Ranking'],
    ['https://acme.example/list', 'stars', 'https://acme.example/list', 'https://acme.example/list'],
  ])('%s is a link to where %s was seen', (source, signal, text, href) => {
    expect(signalSource(source, signal, PLACES)).toEqual({ text, href });
  });

  it.each(['javascript:alert(1)', 'acme', '../../..', 'a/b/c', '//evil.example', 'constructor', 'acme/<b>'])(
    '%s is a text and no link',
    (source) => {
      expect(signalSource(source, 'stars', { ...PLACES, repositoryUrl: 'javascript:alert(1)' })).toEqual({
        text: source,
        href: null,
      });
    },
  );

  it('links to a repository only where its address is a web address', () => {
    const places = { ...PLACES, repositoryUrl: 'javascript:alert(1)' };

    expect(signalSource('github.com', 'stars', places).href).toBeNull();
  });
});

describe('the date of a fact', () => {
  it.each([
    ['a licence that a list states', 'acme/list', 'license', true],
    ['a licence that one of several lists states', 'registry', 'license', true],
    ['a licence that the host states', 'github.com', 'license', false],
    ['stars, which a list dates', 'acme/list', 'stars', false],
    ['an account that a list says the MCP registry names', 'mcp_registry', 'creator_accounts', true],
    ['an account that is proved here', 'linked_accounts', 'creator_accounts', false],
  ])('%s', (_, source, signal, expected) => {
    expect(isUndated(source, signal, PLACES)).toBe(expected);
  });
});

describe('a missing fact', () => {
  const of = (
    signal: string,
    status: Contribution['status'],
    source: string | null = null,
  ): Contribution => ({
    signal,
    status,
    source,
    value: status === 'observed' ? 0.5 : null,
    weight: 1,
    points: 0,
    evidence: 0,
    observedAt: null,
    reason: null,
  });
  const license = of('license', 'missing');

  it('was not fetched yet where only a list told of the repository', () => {
    const seen = [of('stars', 'observed', 'EvanLi/Github-Ranking'), of('metadata', 'observed', 'registry')];

    expect(whyMissing(license, seen, 'github.com')).toBe('not fetched yet');
  });

  it('is not stated where the host itself was read', () => {
    expect(whyMissing(license, [of('stars', 'observed', 'github.com')], 'github.com')).toBe('not stated');
  });

  it('is not stated on a profile that was read, and not fetched where none was', () => {
    const engagement = of('engagement', 'missing');

    expect(whyMissing(engagement, [of('audience', 'observed', 'acme/list')], null)).toBe('not stated');
    expect(whyMissing(engagement, [engagement], null)).toBe('not fetched yet');
  });

  it('of a package is missing for want of a package, if none counts as its own', () => {
    const seen = [of('package_confirmed', 'missing')];

    for (const signal of ['vulnerabilities', 'provenance']) {
      expect(whyMissing(of(signal, 'missing'), seen, 'github.com')).toBe('no confirmed package');
      expect(whyMissing(of(signal, 'missing'), [of('package_confirmed', 'observed')], null)).toBe(
        'not fetched yet',
      );
    }
  });

  it('says of accounts that none is proved, no matter who looked', () => {
    expect(whyMissing(of('creator_accounts', 'missing'), [], 'github.com')).toBe('none known that counts');
  });
});

import { describe, expect, it } from 'vitest';
import {
  type Alias,
  accountAliases,
  artifactAliases,
  creatorAliases,
  listingAliases,
} from './stored-aliases.ts';

const listing = {
  id: '0190f5c2-7b1e-7c3a-9d4e-5f60718293a4',
  agentId: 'AGT-0A1B2C3D',
  host: 'github.com',
  repository: 'Acme/Robot',
  name: 'Map Maker',
  npmPackage: '@Acme/robot',
  pypiPackage: 'acme_robot',
  formerRepositories: ['old/robot', 'acme/robot'],
};
const artifact = {
  id: '0190f5c2-7b1e-7c3a-9d4e-5f60718293a5',
  host: 'github.com',
  repository: 'Acme/Robot',
  name: 'Draw/Maps',
  path: '/Skills/maps/',
  npmPackage: null,
  pypiPackage: null,
};

function ofKind(aliases: Alias[], kind: Alias['kind']): string[] {
  return aliases.filter((alias) => alias.kind === kind).map((alias) => alias.label);
}

describe('listingAliases', () => {
  it('names a listing by its ids, repository, packages, former repositories and plain names', () => {
    const aliases = listingAliases(listing);

    expect(ofKind(aliases, 'identity')).toEqual([
      listing.id,
      'agt-0a1b2c3d',
      'github.com/acme/robot',
      'npm:@acme/robot',
      'pypi:acme-robot',
    ]);
    expect(ofKind(aliases, 'former')).toEqual(['github.com/old/robot']);
    expect(ofKind(aliases, 'name')).toEqual(['robot', 'map maker']);
  });

  it('gives listings on other hosts an alias without the host', () => {
    const aliases = listingAliases({ ...listing, host: 'Gitee.com', npmPackage: null, pypiPackage: null });

    expect(ofKind(aliases, 'identity').slice(2)).toEqual(['gitee.com/acme/robot', 'acme/robot']);
    expect(ofKind(aliases, 'former')).toEqual(['gitee.com/old/robot', 'old/robot']);
  });

  it.each([
    'big/bank',
    'big／bank',
    'github.com:big',
    '@big',
    '＠big',
    '\u200b@big',
    '0190f5c2-7b1e-7c3a-9d4e-5f6071829300',
    'AGT-ZZZZZZZZ',
    'npm:bank',
    '\u0000',
    '',
  ])('ignores the display name %j, which is or looks like an address', (name) => {
    expect(ofKind(listingAliases({ ...listing, name }), 'name')).toEqual(['robot']);
  });

  it('leaves out aliases that the index cannot hold', () => {
    const aliases = listingAliases({ ...listing, name: '地'.repeat(400) });

    expect(ofKind(aliases, 'name')).toEqual(['robot']);
  });
});

describe('artifactAliases', () => {
  it('names an artifact by its id, its name and path inside the repository, and as the repository’s artifact', () => {
    const aliases = artifactAliases({ ...artifact, formerRepositories: ['old/robot'] });

    expect(ofKind(aliases, 'identity')).toEqual([
      artifact.id,
      'github.com/acme/robot#',
      'github.com/acme/robot#draw/maps',
      'github.com/acme/robot//skills/maps',
    ]);
    expect(ofKind(aliases, 'former')[1]).toBe('github.com/old/robot#draw/maps');
    expect(ofKind(aliases, 'name')).toEqual([]);
  });

  it.each(['skills/maps/SKILL.md', 'skills//maps'])('takes the path %s as its folder', (path) => {
    const labels = artifactAliases({ ...artifact, path }).map((alias) => alias.label);

    expect(labels).toContain('github.com/acme/robot//skills/maps');
  });

  it('has no path alias for a file at the root, which means the repository', () => {
    const labels = artifactAliases({ ...artifact, path: 'SKILL.md' }).map((alias) => alias.label);

    expect(labels.filter((label) => label.includes('//'))).toEqual([]);
  });

  it('also has its plain name', () => {
    expect(ofKind(artifactAliases({ ...artifact, name: 'Maps', path: null }), 'name')).toEqual(['maps']);
  });
});

describe('creatorAliases', () => {
  it('names a creator by its handle on its host and by its display name', () => {
    const creator = {
      id: listing.id,
      host: 'github.com',
      handle: 'Acme',
      displayName: 'Acme Inc',
      handleVariants: ['ACME'],
    };

    expect(creatorAliases(creator)).toEqual([
      { label: listing.id, kind: 'identity' },
      { label: 'github.com:acme', kind: 'identity' },
      { label: 'acme inc', kind: 'name' },
    ]);
  });

  it('gives a creator on another host an alias without the host, and one of this directory none', () => {
    const creator = { id: listing.id, handle: 'acme', displayName: null };

    expect(creatorAliases({ ...creator, host: 'gitee.com' }).map((alias) => alias.label)).toContain('@acme');
    expect(creatorAliases({ ...creator, host: 'directory' }).map((alias) => alias.label)).toEqual([
      listing.id,
      'directory:acme',
    ]);
  });
});

describe('accountAliases', () => {
  const account = {
    id: listing.id,
    platform: 'x',
    handle: 'AcmeLabs',
    name: 'Acme Labs',
    formerHandles: ['acme_old'],
    platformAccountId: '77',
  };

  it('names an account by its handle with and without platform, its platform’s id, former handles and name', () => {
    const aliases = accountAliases(account);

    expect(ofKind(aliases, 'identity')).toEqual([listing.id, 'x:acmelabs', '@acmelabs', 'x:id/77']);
    expect(ofKind(aliases, 'former')).toEqual(['x:acme_old', '@acme_old']);
    expect(ofKind(aliases, 'name')).toEqual(['acme labs']);
  });

  it.each(['@big', 'x:big', 'big/bank', 'https://x.com/big'])(
    'ignores the display name %j, which looks like an address',
    (name) => {
      expect(ofKind(accountAliases({ ...account, name }), 'name')).toEqual([]);
    },
  );

  it('gives a handle with a kind prefix no alias without the platform, because it would look like a package or repository', () => {
    const company = { ...account, platform: 'linkedin', handle: 'company/acme', formerHandles: [] };

    expect(ofKind(accountAliases({ ...company, platformAccountId: null }), 'identity')).toEqual([
      listing.id,
      'linkedin:company/acme',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { judgeIdentity, type ShownIdentity, type StoredIdentity } from './judge-identity.ts';

const STORED: StoredIdentity = {
  id: 'any',
  host: 'github.com',
  repository: 'acme/robot',
  hostRepositoryId: null,
  hostOwnerId: null,
  identityDoubt: null,
  repositoryCreatedAt: null,
  license: null,
  listedAt: '2026-08-01T00:00:00.000000Z',
  forkParents: [],
  knownOwnerIds: [],
};
const SHOWN: ShownIdentity = {
  hostRepositoryId: '1',
  hostOwnerId: '42',
  createdAt: '2024-02-03T04:05:06.000Z',
  license: 'MIT',
  statesLicense: true,
  forkOf: null,
};

describe('judgeIdentity', () => {
  it.each<[string, Partial<StoredIdentity>, Partial<ShownIdentity>]>([
    ['nothing but the name is known', {}, {}],
    [
      'the id is the known one',
      { hostRepositoryId: '1', license: 'GPL-3.0', repositoryCreatedAt: '2020-01-01T00:00:00Z' },
      {},
    ],
    ['the creation is the same', { repositoryCreatedAt: '2024-02-03T04:05:06.000000Z' }, {}],
    [
      'a source has stated the day of creation alone',
      { repositoryCreatedAt: '2024-02-03T00:00:00.000000Z' },
      {},
    ],
    ['the licence is the same', { license: 'mit' }, {}],
    ['nobody could name the licence', { license: 'NOASSERTION' }, {}],
    ['the host states no licences', { license: 'MIT' }, { license: null, statesLicense: false }],
    ['the fork parent is the same', { forkParents: ['origin/robot'] }, { forkOf: 'Origin/Robot' }],
    ['the handle was known as the same account’s', { knownOwnerIds: ['42'] }, {}],
  ])('accepts the repository as the listed one: %s', (_, stored, shown) => {
    expect(judgeIdentity({ ...STORED, ...stored }, { ...SHOWN, ...shown })).toBeNull();
  });

  it.each<[string, Partial<StoredIdentity>, Partial<ShownIdentity>]>([
    ['other_repository', { hostRepositoryId: '2' }, {}],
    ['created_later', {}, { createdAt: '2026-08-01T00:00:00.000Z' }],
    ['created_later', { hostRepositoryId: '1' }, { createdAt: '2026-09-01T00:00:00.000Z' }],
    ['creation_unknown', {}, { createdAt: null }],
    ['creation_differs', { repositoryCreatedAt: '2024-02-03T04:05:07.000000Z' }, {}],
    ['creation_differs', { repositoryCreatedAt: '2024-02-04T00:00:00.000000Z' }, {}],
    ['license_differs', { license: 'Apache-2.0' }, {}],
    ['license_differs', { license: 'MIT' }, { license: null }],
    ['fork_differs', { forkParents: ['origin/robot'] }, {}],
    ['handle_passed_on', { knownOwnerIds: ['42', '7'] }, {}],
    ['license_differs', { hostRepositoryId: '1', identityDoubt: 'license_differs' }, {}],
  ])('returns %s', (doubt, stored, shown) => {
    expect(judgeIdentity({ ...STORED, ...stored }, { ...SHOWN, ...shown })).toBe(doubt);
  });
});

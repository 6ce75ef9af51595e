import { describe, expect, it } from 'vitest';
import { listing } from '../../../testing/import/rows.ts';
import { parseListing } from '../../intake/import/parse-row.ts';
import type { StoredListing } from '../listings/listing-row.ts';
import { decide } from './match-listings.ts';

function row(id: string | null) {
  const parsed = parseListing(listing('acme/name', { githubRepoId: id }));
  if (!('row' in parsed)) throw new Error(parsed.reason);
  return parsed.row;
}

function stored(id: string, overrides: Partial<StoredListing> = {}): StoredListing {
  return {
    id,
    type: 'skill',
    host: 'github.com',
    repository: 'acme/name',
    hostRepositoryId: null,
    creatorId: 'creator',
    creatorKey: 'github.com:acme',
    npmPackage: null,
    pypiPackage: null,
    imported: null,
    unchanged: false,
    ...overrides,
  };
}

describe('decide', () => {
  it.each([
    ['nothing known', '1', null, null, 'add'],
    ['the name known, no ids', null, null, stored('n'), 'update n'],
    ['the name known, its id not', '1', null, stored('n'), 'update n'],
    [
      'the name known with an id, the row without',
      null,
      null,
      stored('n', { hostRepositoryId: '2' }),
      'update n',
    ],
    ['the id known under another name', '1', stored('i', { hostRepositoryId: '1' }), null, 'update i'],
    ['the name held by another id', '1', null, stored('n', { hostRepositoryId: '2' }), 'add, displaces n'],
    [
      'both known and different',
      '1',
      stored('i', { hostRepositoryId: '1' }),
      stored('n', { hostRepositoryId: '2' }),
      'update i, displaces n',
    ],
    [
      'the id elsewhere and the name without one',
      '1',
      stored('i', { hostRepositoryId: '1' }),
      stored('n'),
      'reject',
    ],
    ['the same words again', null, null, stored('n', { unchanged: true }), 'keep'],
    ['another type', null, null, stored('n', { type: 'agent' }), 'reject'],
  ])('with %s', (_, id, byId, byName, expected) => {
    const decision = decide(row(id), { byId, byName });

    const target = decision.step === 'update' ? ` ${decision.stored.id}` : '';
    const displaced =
      'displaced' in decision && decision.displaced ? `, displaces ${decision.displaced.id}` : '';
    expect(`${decision.step}${target}${displaced}`).toBe(expected);
  });
});

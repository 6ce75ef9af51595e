import { describe, expect, it } from 'vitest';
import { identifyRepository, type NamedListing } from './identify-repository.ts';

const listing = (repository: string, hostRepositoryId: string | null, id = 'asked'): NamedListing => ({
  id,
  repository,
  hostRepositoryId,
});
const reading = (repository: string, hostRepositoryId = '1') => ({ repository, hostRepositoryId });
const identify = (asked: NamedListing, read: ReturnType<typeof reading>, ...others: NamedListing[]) =>
  identifyRepository(asked, read, others, true);

describe('identifyRepository', () => {
  it('learns the id of a listing that has none, whatever the case of its name', () => {
    expect(identify(listing('a/b', null), reading('A/B'))).toEqual({ kind: 'same' });
    expect(identify(listing('a/b', '1'), reading('a/b'))).toEqual({ kind: 'same' });
  });

  it('treats another id under the same name as another repository', () => {
    expect(identify(listing('a/b', '2'), reading('a/b'))).toEqual({ kind: 'replaced' });
    expect(identify(listing('a/b', '2'), reading('c/d'))).toEqual({ kind: 'replaced' });
  });

  it('follows a rename, and takes the new name from a listing that is another repository', () => {
    const bearer = listing('c/d', '9', 'bearer');

    expect(identify(listing('a/b', '1'), reading('c/d'))).toEqual({ kind: 'renamed', displaced: null });
    expect(identify(listing('a/b', null), reading('c/d'))).toEqual({ kind: 'renamed', displaced: null });
    expect(identify(listing('a/b', '1'), reading('C/D'), bearer)).toEqual({
      kind: 'renamed',
      displaced: bearer,
    });
  });

  it('takes nothing from another listing of the same repository', () => {
    expect(identify(listing('a/b', null), reading('c/d'), listing('c/d', '1', 'twin'))).toEqual({
      kind: 'duplicate',
    });
    expect(identify(listing('a/b', null), reading('a/b'), listing('c/d', '1', 'twin'))).toEqual({
      kind: 'duplicate',
    });
    expect(identify(listing('a/b', '1'), reading('c/d'), listing('c/d', null, 'twin'))).toEqual({
      kind: 'duplicate',
    });
  });

  it('keeps the name of a repository whose new one no listing can have', () => {
    expect(identifyRepository(listing('a/b', '1'), reading('a/c/b'), [], false)).toEqual({
      kind: 'nameless',
    });
  });
});

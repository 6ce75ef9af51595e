import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import {
  type MadeListing,
  makeArtifact,
  makeCreator,
  makeListing,
} from '../../../testing/subjects/registry.factory.ts';
import type { Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { SUBJECT_TYPES, type SubjectType } from '../../scoring/subject-type.ts';
import { createPublicUrls } from './public-path.ts';
import { resolveSubject } from './resolve-subject.ts';
import { listingAliases } from './stored-aliases.ts';
import { replaceAliases } from './subject-alias.queries.ts';

const publicUrls = createPublicUrls('https://trust.example');
let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterEach(() => test.empty());
afterAll(() => test.close());

function resolve(text: string, type: SubjectType | readonly SubjectType[] = 'skill') {
  return resolveSubject(database, type, text, publicUrls);
}

async function failure(
  text: string,
  type: SubjectType | readonly SubjectType[] = 'skill',
): Promise<DomainError> {
  const found = await resolve(text, type).catch((error: unknown) => {
    if (error instanceof DomainError) return error;
    throw error;
  });
  if (found instanceof DomainError) return found;
  throw new Error(`"${text}" led to ${found.type} ${found.publicPath}`);
}

/** Replaces the listing's aliases with those of another repository, as an import does after a rename. */
async function rename(listing: MadeListing, repository: string, former: string[]): Promise<void> {
  await database.query('UPDATE listing SET repository = $2 WHERE subject_id = $1', [listing.id, repository]);
  const names = {
    ...listing,
    repository,
    name: 'robot',
    npmPackage: null,
    pypiPackage: null,
    formerRepositories: former,
  };
  await replaceAliases(database, [
    { subjectId: listing.id, subjectType: listing.type, aliases: listingAliases(names) },
  ]);
}

describe('one repository', () => {
  it('is the same subject under its id, agent id, owner/repo, URL, page and package', async () => {
    const listing = await makeListing(database, {
      repository: 'Acme/Robot',
      npmPackage: '@acme/robot',
      pypiPackage: 'acme_robot',
    });
    const texts = [
      listing.id,
      listing.agentId,
      'acme/robot',
      'git@github.com:ACME/robot.git',
      '/s/Acme/Robot',
      '/Acme/Robot',
    ];
    texts.push(
      `/s/id/${listing.agentId}`,
      'https://trust.example/s/Acme/Robot',
      '@acme/robot',
      'pypi:Acme.Robot',
      'robot',
    );

    const found = await Promise.all(texts.map((text) => resolve(text)));

    for (const subject of found) {
      expect(subject).toEqual({
        id: listing.id,
        type: 'skill',
        name: 'Robot',
        repository: 'Acme/Robot',
        publicPath: '/s/Acme/Robot',
        agentId: listing.agentId,
        source: 'acme/list',
        sourceId: listing.registryRowId,
      });
    }
  });

  it('never resolves to another type', async () => {
    const listing = await makeListing(database, { repository: 'acme/robot', type: 'skill' });

    for (const text of [listing.id, listing.agentId, 'acme/robot', 'robot']) {
      expect((await failure(text, 'agent')).code).toBe('subject_not_found');
      expect((await failure(text, 'creator')).code).toBe('subject_not_found');
    }
  });

  it('is found among all types if none is requested', async () => {
    const listing = await makeListing(database, { repository: 'acme/robot', type: 'agent' });

    expect((await resolve('acme/robot', SUBJECT_TYPES)).id).toBe(listing.id);
    expect((await resolve('@acme', SUBJECT_TYPES)).type).toBe('creator');
  });

  it('is unknown if nothing has the name, and looking it up stores nothing', async () => {
    const error = await failure('acme/unknown');

    expect(error).toMatchObject({ code: 'subject_not_found', status: 404 });
    expect(await database.query('SELECT FROM subject')).toEqual([]);
  });
});

describe('several subjects with one name', () => {
  it('are ambiguous under a repository name of two owners, with both as candidates', async () => {
    const first = await makeListing(database, { repository: 'acme/mcp' });
    const second = await makeListing(database, { repository: 'beta/mcp' });

    const error = await failure('MCP');

    expect(error).toMatchObject({ code: 'subject_ambiguous', status: 409 });
    expect(error.details.candidates).toEqual([
      {
        canonical_id: first.id,
        type: 'skill',
        name: 'mcp',
        repository: 'acme/mcp',
        public_path: '/s/acme/mcp',
      },
      {
        canonical_id: second.id,
        type: 'skill',
        name: 'mcp',
        repository: 'beta/mcp',
        public_path: '/s/beta/mcp',
      },
    ]);
    expect((await resolve(second.id)).id).toBe(second.id);
  });

  it('return at most ten candidates', async () => {
    for (let count = 0; count < 12; count += 1)
      await makeListing(database, { repository: `owner${count}/mcp` });

    expect((await failure('mcp')).details.candidates).toHaveLength(10);
  });

  it('yield to an address equal to their display name', async () => {
    const creator = await makeCreator(database, { handle: 'acme' });
    await makeCreator(database, { handle: 'other', displayName: 'Acme' });

    expect((await resolve('acme', 'creator')).id).toBe(creator.id);
  });

  it('are ambiguous among types if none is requested', async () => {
    await makeListing(database, { repository: 'acme/robot', type: 'agent' });
    await makeListing(database, { repository: 'beta/robot', type: 'skill' });

    expect((await failure('robot', SUBJECT_TYPES)).details.candidates).toHaveLength(2);
    expect((await resolve('robot', 'agent')).repository).toBe('acme/robot');
  });

  it('are ambiguous under a package that both have', async () => {
    const listing = await makeListing(database, { repository: 'acme/robot', npmPackage: 'robot-kit' });
    await makeArtifact(database, listing, { npmPackage: 'robot-kit' });

    expect((await failure('npm:robot-kit')).code).toBe('subject_ambiguous');
  });
});

describe('a renamed repository', () => {
  it('is still found under its former name', async () => {
    const listing = await makeListing(database, {
      repository: 'acme/robot',
      formerRepositories: ['acme/old-robot'],
    });

    expect((await resolve('https://github.com/acme/old-robot')).id).toBe(listing.id);
    expect((await resolve('acme/old-robot')).publicPath).toBe('/s/acme/robot');
  });

  it('yields its former name to a new repository there', async () => {
    const listing = await makeListing(database, { repository: 'acme/robot' });
    await rename(listing, 'acme/robot-two', ['acme/robot']);
    const successor = await makeListing(database, { repository: 'acme/robot' });

    expect((await resolve('acme/robot')).id).toBe(successor.id);
    expect((await resolve('acme/robot-two')).id).toBe(listing.id);
  });

  it('is not found under a name that was taken from it', async () => {
    const listing = await makeListing(database, { repository: 'acme/robot' });
    await rename(listing, 'acme/robot-two', []);

    expect((await failure('acme/robot')).code).toBe('subject_not_found');
  });

  it('is ambiguous if two repositories had the name before', async () => {
    await makeListing(database, { repository: 'acme/one', formerRepositories: ['acme/old'] });
    await makeListing(database, { repository: 'acme/two', formerRepositories: ['acme/old'] });

    expect((await failure('acme/old')).code).toBe('subject_ambiguous');
  });
});

describe('creators', () => {
  it('exist from their first listing on, and their own row updates them', async () => {
    const creator = await makeCreator(database, { handle: 'acme', displayName: 'Acme Inc' });
    await makeListing(database, { creator, source: 'later/list', listedAt: '2026-02-01T00:00:00Z' });
    await makeListing(database, { creator, source: 'first/list', listedAt: '2026-01-01T00:00:00Z' });

    expect(await resolve('acme inc', 'creator')).toEqual({
      id: creator.id,
      type: 'creator',
      name: 'Acme Inc',
      repository: null,
      publicPath: '/c/acme',
      agentId: null,
      source: 'first/list',
      sourceId: creator.id,
    });
  });

  it('are found by profile URL and short host name', async () => {
    const creator = await makeCreator(database, { handle: 'acme' });

    expect((await resolve('https://github.com/Acme', 'creator')).id).toBe(creator.id);
    expect((await resolve('github:acme', 'creator')).id).toBe(creator.id);
    expect((await failure('gitlab:acme', 'creator')).code).toBe('subject_not_found');
  });
});

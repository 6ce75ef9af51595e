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
import type { SubjectType } from '../../scoring/subject-type.ts';
import { createPublicUrls } from './public-path.ts';
import { resolveSubject } from './resolve-subject.ts';
import { artifactAliases } from './stored-aliases.ts';

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

describe('two hosts', () => {
  it('gives the bare name and the short path to the first host in order', async () => {
    const onGitlab = await makeListing(database, { repository: 'acme/robot', host: 'gitlab.com' });
    expect(await resolve('acme/robot')).toMatchObject({ id: onGitlab.id, publicPath: '/s/acme/robot' });

    const onGithub = await makeListing(database, { repository: 'Acme/Robot' });

    expect(await resolve('acme/robot')).toMatchObject({ id: onGithub.id, publicPath: '/s/Acme/Robot' });
    expect(await resolve('gitlab.com/acme/robot')).toMatchObject({
      id: onGitlab.id,
      publicPath: `/s/id/${onGitlab.agentId}`,
    });
  });

  it('names the host of a repository that is not on the first one, and resolves that name back to it', async () => {
    const hosts = ['github.com', 'gitlab.com', 'bitbucket.org', 'gitee.com', 'git.example.org'];
    const listings = [];
    for (const host of hosts) listings.push(await makeListing(database, { repository: 'Acme/Robot', host }));
    const maps = await makeArtifact(database, listings[1] as MadeListing, { name: 'maps', type: 'agent' });

    for (const { id, host } of listings) {
      const { repository } = await resolve(id);

      expect(repository).toBe(host === 'github.com' ? 'Acme/Robot' : `${host}/Acme/Robot`);
      expect((await resolve(`${repository}`)).id).toBe(id);
    }
    expect(await resolve(maps, 'agent')).toMatchObject({ repository: 'gitlab.com/Acme/Robot' });
    expect((await resolve('gitlab.com/Acme/Robot', 'agent')).id).toBe(maps);
    const gitlabFirst = createPublicUrls('https://trust.example', ['gitlab.com']);
    expect(await resolveSubject(database, 'skill', 'acme/robot', gitlabFirst)).toMatchObject({
      repository: 'Acme/Robot',
      id: listings[1]?.id,
    });
  });

  it('distinguishes candidates of one name by their hosts', async () => {
    const made = [];
    for (const host of ['github.com', 'gitlab.com', 'gitee.com']) {
      made.push(await makeListing(database, { repository: 'acme/robot', host }));
    }

    const { candidates = [] } = (await failure('robot')).details;

    expect(candidates.map(({ repository }) => repository).sort()).toEqual([
      'acme/robot',
      'gitee.com/acme/robot',
      'gitlab.com/acme/robot',
    ]);
    for (const { canonical_id: id, repository } of candidates)
      expect((await resolve(`${repository}`)).id).toBe(id);
  });

  it('follows the operator’s host order', async () => {
    const onGitlab = await makeListing(database, { repository: 'acme/robot', host: 'gitlab.com' });
    await makeListing(database, { repository: 'acme/robot' });
    const gitlabFirst = createPublicUrls('https://trust.example', ['gitlab.com']);

    const found = await resolveSubject(database, 'skill', 'acme/robot', gitlabFirst);

    expect(found).toMatchObject({ id: onGitlab.id, publicPath: '/s/acme/robot' });
  });

  it('finds a repository on an unlisted host by its bare name if no other host has it', async () => {
    const listing = await makeListing(database, { repository: 'acme/robot', host: 'gitee.com' });
    expect(await resolve('acme/robot')).toMatchObject({
      id: listing.id,
      publicPath: `/s/id/${listing.agentId}`,
    });

    await makeListing(database, { repository: 'acme/robot', host: 'git.example.org' });

    expect((await failure('acme/robot')).code).toBe('subject_ambiguous');
    expect((await resolve('https://gitee.com/acme/robot')).id).toBe(listing.id);
  });

  it('resolves a bare handle on the first host, then on unlisted ones, then in this directory', async () => {
    const ours = await makeCreator(database, { host: 'directory', handle: 'acme' });
    expect(await resolve('@acme', 'creator')).toMatchObject({
      id: ours.id,
      publicPath: '/c/acme',
      source: 'registration',
    });

    const onGitee = await makeCreator(database, { host: 'gitee.com', handle: 'acme' });
    expect(await resolve('@acme', 'creator')).toMatchObject({
      id: onGitee.id,
      publicPath: '/c/gitee.com:acme',
    });
    expect(await resolve('directory:acme', 'creator')).toMatchObject({
      id: ours.id,
      publicPath: '/c/directory:acme',
    });

    const onGithub = await makeCreator(database, { host: 'github.com', handle: 'Acme' });
    expect(await resolve('acme', 'creator')).toMatchObject({ id: onGithub.id, publicPath: '/c/Acme' });
    expect((await resolve('/c/directory:acme', 'creator')).id).toBe(ours.id);
  });
});

describe('artifacts', () => {
  it('are found by name, by path and by page, and have no agent id', async () => {
    const listing = await makeListing(database, { repository: 'acme/skills' });
    const id = await makeArtifact(database, listing, { name: 'Map/Maker', path: 'skills/maps' });

    for (const text of [
      'acme/skills#map/maker',
      'acme/skills/skills/maps',
      '/s/acme/skills/Map%2FMaker',
      id,
    ]) {
      expect(await resolve(text)).toMatchObject({
        id,
        name: 'Map/Maker',
        repository: 'acme/skills',
        publicPath: '/s/acme/skills/Map%2FMaker',
        agentId: null,
      });
    }
  });

  it('rank after the repository’s own listing of their type', async () => {
    const listing = await makeListing(database, { repository: 'acme/skills', type: 'skill' });
    await makeArtifact(database, listing, { type: 'skill' });
    const agent = await makeArtifact(database, listing, { type: 'agent', name: 'Guide' });

    expect((await resolve('acme/skills', 'skill')).id).toBe(listing.id);
    expect(await resolve('acme/skills', 'agent')).toMatchObject({
      id: agent,
      publicPath: '/a/acme/skills/Guide',
    });
    expect((await resolve('acme/skills', ['agent', 'skill'])).id).toBe(listing.id);
  });

  it('are ambiguous if the repository has several of their type and no listing of it', async () => {
    const listing = await makeListing(database, { repository: 'acme/team', type: 'agent' });
    for (let count = 0; count < 60; count += 1) await makeArtifact(database, listing, { type: 'skill' });

    const error = await failure('acme/team', 'skill');

    expect(error.code).toBe('subject_ambiguous');
    expect(error.details.candidates).toHaveLength(10);
  });

  it('are not found by another artifact’s path, and are ambiguous if two share one', async () => {
    const listing = await makeListing(database, { repository: 'acme/skills' });
    await makeArtifact(database, listing, { name: 'one', path: 'skills/a' });
    await makeArtifact(database, listing, { name: 'two', path: 'skills/a' });

    expect((await failure('acme/skills/skills/a')).code).toBe('subject_ambiguous');
    expect((await failure('acme/skills/skills')).code).toBe('subject_not_found');
  });

  it('of a repository on a later host have a page by id', async () => {
    await makeListing(database, { repository: 'acme/skills' });
    const listing = await makeListing(database, { repository: 'acme/skills', host: 'gitlab.com' });
    const id = await makeArtifact(database, listing, { name: 'maps' });

    expect((await resolve('gitlab.com/acme/skills#maps')).publicPath).toBe(`/s/id/${id}`);
  });

  it('keep their aliases separate from those of their repository', () => {
    const names = {
      id: 'x',
      host: 'github.com',
      repository: 'a/b',
      name: 'c',
      path: null,
      npmPackage: null,
      pypiPackage: null,
    };

    expect(artifactAliases(names).map((alias) => alias.label)).not.toContain('github.com/a/b');
  });
});

import { json, NOT_FOUND, type StandInAnswer } from './stand-in-answer.ts';
import { catalogueAnswer } from './stand-in-catalogues.ts';
import { accountAnswer } from './stand-in-host-accounts.ts';
import type { StandInAccount, StandInRepository, StandInWorld } from './stand-in-host-world.ts';
import { detailsAnswer } from './stand-in-repository-details.ts';

/** Returns the hosts' answer to a path, whose first segment selects the API. */
export function answerOf(world: StandInWorld, address: string, body: string): StandInAnswer {
  const url = new URL(address, 'http://stand-in');
  const [, api = '', ...parts] = url.pathname.split('/').map(decodeURIComponent);
  const catalogue = catalogueAnswer(world, api, url);
  if (catalogue !== null) return catalogue;
  const repository = repositoryAnswer(world, api, parts, url);
  if (repository !== null) return repository;
  return accountAnswer(world, api, parts, url, body);
}

function repositoryAnswer(
  world: StandInWorld,
  api: string,
  parts: readonly string[],
  url: URL,
): StandInAnswer | null {
  const all = world.repositories.filter((repository) => repository.api === api);
  const asked = read(api, parts);
  if (asked === null) return null;
  const now =
    all.find((each) => ('id' in asked ? each.id === asked.id : same(nameOf(world, each), asked.name))) ??
    impliedRepository(world, api, asked);
  if (now) return record({ ...now, name: nameOf(world, now) }, asked.rest, ownerOf(world, now), url) ?? null;
  const former = all.find(
    ({ name, formerNames }) =>
      'name' in asked && [name, ...formerNames].some((each) => same(each, asked.name)),
  );
  if (!former) return NOT_FOUND;
  return { status: 301, body: '{"message":"Moved"}', headers: { location: pathById(former, asked.rest) } };
}

/** Returns the current name of a repository, with the current handle of its owner if the world has that account. */
function nameOf(world: StandInWorld, { api, name, ownerId }: StandInRepository): string {
  const owner = world.accounts.find((each) => each.api === api && each.id === ownerId);
  return owner ? `${owner.handle}/${name.split('/')[1]}` : name;
}

/** Returns the account that owns a repository; if the world has none, one made from the repository's name. */
function ownerOf(world: StandInWorld, { api, name, ownerId }: StandInRepository): StandInOwner {
  const [handle = ''] = name.split('/');
  const accounts = world.accounts.filter((each) => each.api === api);
  const account = accounts.find((each) =>
    ownerId === null ? same(each.handle, handle) : each.id === ownerId,
  );
  const madeUp = 2_000_000 + [...handle].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return {
    id: ownerId ?? account?.id ?? String(madeUp),
    handle: account?.handle ?? handle,
    isOrganisation: account?.isOrganisation ?? false,
  };
}

type StandInOwner = Pick<StandInAccount, 'id' | 'handle' | 'isOrganisation'>;

/** Adds a repository that was not declared, if its owner is an account of the world. */
function impliedRepository(world: StandInWorld, api: string, asked: Asked): StandInRepository | undefined {
  if (!world.showsAnyRepository || !('name' in asked) || asked.rest.length > 0) return undefined;
  const [handle = ''] = asked.name.split('/');
  const owner = world.accounts.find((each) => each.api === api && same(each.handle, handle));
  const isFormer = world.repositories.some(
    (each) => each.api === api && [each.name, ...each.formerNames].some((name) => same(name, asked.name)),
  );
  if (!owner || isFormer) return undefined;
  return world.repository({
    api: owner.api as StandInRepository['api'],
    name: asked.name,
    ownerId: owner.id,
  });
}

type Asked = ({ name: string } | { id: string }) & { rest: readonly string[] };

function read(api: string, parts: readonly string[]): Asked | null {
  const [first, second = '', third = '', ...rest] = parts;
  if (api === 'gitlab' && first === 'projects') {
    return /^\d+$/.test(second)
      ? { id: second, rest: [third, ...rest].filter(Boolean) }
      : { name: second, rest: [third, ...rest].filter(Boolean) };
  }
  if (api === 'bitbucket' && first === 'repositories') {
    return second === '{}' ? { id: third, rest } : { name: `${second}/${third}`, rest };
  }
  if (first === 'repos') return { name: `${second}/${third}`, rest };
  return first === 'repositories' ? { id: second, rest: [third, ...rest].filter(Boolean) } : null;
}

function pathById({ api, id }: StandInRepository, rest: readonly string[]): string {
  const base = {
    github: 'repositories',
    forgejo: 'repositories',
    gitlab: 'projects',
    bitbucket: 'repositories/%7B%7D',
  }[api];
  return ['', api, base, encodeURIComponent(id), ...rest].join('/');
}

function record(
  repository: StandInRepository,
  rest: readonly string[],
  owner: StandInOwner,
  url: URL,
): StandInAnswer | null {
  if (rest.length === 0) return json(RECORDS[repository.api](repository, owner));
  const details = detailsAnswer(repository, rest, url);
  if (details !== null) return details;
  const { pushedAt, files } = repository;
  if (rest.at(-1) === 'commits') {
    const commits = [{ committed_date: pushedAt, date: pushedAt, hash: 'abcdef0123456789' }];
    return json(repository.api === 'bitbucket' ? { values: commits } : commits);
  }
  if (rest[0] === 'branches') return json({ commit: { timestamp: pushedAt } });
  const whole = rest.slice(1).join('/');
  const path = whole in files ? whole : rest.find((part) => part in files);
  return path === undefined ? NOT_FOUND : { status: 200, body: files[path] ?? '' };
}

const RECORDS = {
  github: (of: StandInRepository, owner: StandInOwner) => ({
    id: Number(of.id),
    full_name: of.name,
    owner: { id: Number(owner.id), login: owner.handle },
    description: of.description,
    homepage: of.homepage,
    topics: of.topics,
    license: of.license === null ? null : { spdx_id: of.license },
    stargazers_count: of.stars,
    forks_count: of.forks,
    open_issues_count: of.openIssues,
    pushed_at: of.pushedAt,
    created_at: of.createdAt,
    archived: of.archived,
    fork: of.forkOf !== null,
    ...(of.forkOf === null ? {} : { parent: { full_name: of.forkOf } }),
  }),
  gitlab: (of: StandInRepository, owner: StandInOwner) => ({
    id: Number(of.id),
    path_with_namespace: of.name,
    // On GitLab, a group's namespace has the group's id, but a person's namespace has an id of its own.
    namespace: owner.isOrganisation
      ? { id: Number(owner.id), kind: 'group', path: owner.handle, full_path: owner.handle }
      : { id: 7_000_000 + Number(owner.id), kind: 'user', path: owner.handle, full_path: owner.handle },
    description: of.description,
    topics: of.topics,
    license: of.license === null ? null : { key: of.license.toLowerCase() },
    star_count: of.stars,
    forks_count: of.forks,
    open_issues_count: of.openIssues,
    created_at: of.createdAt,
    archived: of.archived,
    forked_from_project: of.forkOf === null ? null : { path_with_namespace: of.forkOf },
  }),
  forgejo: (of: StandInRepository, owner: StandInOwner) => ({
    id: Number(of.id),
    full_name: of.name,
    owner: { id: Number(owner.id), login: owner.handle },
    description: of.description,
    website: of.homepage,
    topics: of.topics,
    licenses: of.license === null ? [] : [of.license],
    stars_count: of.stars,
    forks_count: of.forks,
    open_issues_count: of.openIssues,
    created_at: of.createdAt,
    archived: of.archived,
    default_branch: 'main',
    parent: of.forkOf === null ? null : { full_name: of.forkOf },
  }),
  bitbucket: (of: StandInRepository, owner: StandInOwner) => ({
    uuid: of.id,
    full_name: of.name,
    workspace: { uuid: owner.id, slug: owner.handle },
    description: of.description,
    website: of.homepage,
    created_on: of.createdAt,
    parent: of.forkOf === null ? null : { full_name: of.forkOf },
  }),
};

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

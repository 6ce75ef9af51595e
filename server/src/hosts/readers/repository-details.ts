import { HostFailure } from '../host-account.ts';
import type { AskHost, HostResponse } from '../request-host.ts';
import { cleanTime, createAnswerParser, ID_SCHEMA, optionalSchema } from '../untrusted-answers.ts';
import { escapePath } from './repository-reading.ts';

/** A repository whose identity on its host is known. */
export interface KnownRepository {
  readonly host: string;
  /** Repository in the form `owner/name`. */
  readonly repository: string;
  readonly hostRepositoryId: string;
  /** The owner's id in the form of account readers; null if it is not known. */
  readonly hostOwnerId: string | null;
}

export type Releases = { count: number; latestAt: string | null };
export type OwnerAccount = { kind: 'organisation' | 'user'; createdAt: string | null };

/**
 * Reads facts that are not part of a host's main record of a repository. A function is null if the host does not show
 * the fact.
 */
export interface DetailsReader {
  /**
   * Throws HostFailure `moved` if the name now belongs to another repository. Null if requests use the host's id, not
   * the name.
   */
  readonly identify: ((ask: AskHost, of: KnownRepository) => Promise<void>) | null;
  readonly releases: ((ask: AskHost, of: KnownRepository) => Promise<Releases>) | null;
  readonly contributors: ((ask: AskHost, of: KnownRepository) => Promise<number>) | null;
  /** Returns the names in a folder of the repository (empty: the root); null if the host shows only some of them. */
  namesIn(ask: AskHost, of: KnownRepository, folder: string): Promise<readonly string[] | null>;
  /** Returns the path and the accepted media type of a request for a file's text. */
  file(of: KnownRepository, path: string): { path: string; accept: string };
  /** Returns the account that owns the repository; null if the answer is about another account than `ownerId`. */
  owner(ask: AskHost, of: KnownRepository, ownerId: string): Promise<OwnerAccount | null>;
  /** Paths of the web pages that show the same facts, relative to the repository's address. */
  readonly pages: { readonly releases: string; readonly contributors: string; readonly files: string };
}

const time = optionalSchema('string');
const readReleases = createAnswerParser({
  type: 'array',
  items: { type: 'object', properties: { published_at: time, released_at: time } },
});
const readList = createAnswerParser({ type: 'array', items: { type: 'object' } });
const readNames = createAnswerParser({
  type: 'array',
  items: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 500 } } },
});
const readOwner = createAnswerParser({
  type: 'object',
  required: ['id'],
  properties: { id: ID_SCHEMA, type: optionalSchema('string'), created_at: time, created: time },
});

const releasesOf =
  (host: string) =>
  ({ body, total }: HostResponse): Releases => {
    const list = readReleases(body, host);
    const latestAt = cleanTime(list[0]?.published_at ?? list[0]?.released_at);
    return { count: total ?? list.length, latestAt };
  };
const countOf =
  (host: string) =>
  ({ body, total }: HostResponse): number =>
    total ?? readList(body, host).length;
const namesOf =
  (host: string) =>
  ({ body }: HostResponse): string[] =>
    readNames(body, host).map(({ name }) => name);

const idOf =
  (host: string) =>
  ({ body }: HostResponse): string =>
    String(readOwner(body, host).id);

const inside = (folder: string) => (folder === '' ? '' : `/${escapePath(folder)}`);
const byId = ({ hostRepositoryId }: KnownRepository) => encodeURIComponent(hostRepositoryId);

/**
 * Reads details from GitHub. It lists no contributors of a very large repository (status 403) or of an empty one. The
 * list includes contributors without an account.
 */
export const githubDetails: DetailsReader = {
  identify: null,
  releases: (ask, of) => ask(`/repositories/${byId(of)}/releases?per_page=1`, releasesOf(of.host)),
  contributors: (ask, of) =>
    ask(`/repositories/${byId(of)}/contributors?per_page=1&anon=true`, countOf(of.host), {
      alsoNotFound: 403,
    }),
  namesIn: (ask, of, folder) => ask(`/repositories/${byId(of)}/contents${inside(folder)}`, namesOf(of.host)),
  file: (of, path) => ({
    path: `/repositories/${byId(of)}/contents/${escapePath(path)}`,
    accept: 'application/vnd.github.raw+json',
  }),
  owner: (ask, of, ownerId) =>
    ask(`/user/${encodeURIComponent(ownerId)}`, ({ body }) => {
      const owner = readOwner(body, of.host);
      const kind = owner.type === 'Organization' ? 'organisation' : owner.type === 'User' ? 'user' : null;
      if (kind === null || String(owner.id) !== ownerId) return null;
      return { kind, createdAt: cleanTime(owner.created_at) };
    }),
  pages: { releases: '/releases', contributors: '/graphs/contributors', files: '/blob/HEAD/' },
};

const GITLAB_PAGE = 100;

/**
 * Reads details from GitLab. Only the first 100 names of a folder are read; the names in a larger folder count as
 * unknown.
 */
export const gitlabDetails: DetailsReader = {
  identify: null,
  releases: (ask, of) => ask(`/projects/${byId(of)}/releases?per_page=1`, releasesOf(of.host)),
  contributors: (ask, of) =>
    ask(`/projects/${byId(of)}/repository/contributors?per_page=1`, countOf(of.host)),
  namesIn: (ask, of, folder) =>
    ask(
      `/projects/${byId(of)}/repository/tree?per_page=${GITLAB_PAGE}&path=${encodeURIComponent(folder)}`,
      (answer) => {
        const names = namesOf(of.host)(answer);
        return names.length < GITLAB_PAGE || answer.total === GITLAB_PAGE ? names : null;
      },
    ),
  file: (of, path) => ({
    path: `/projects/${byId(of)}/repository/files/${encodeURIComponent(path)}/raw?ref=HEAD`,
    accept: 'text/plain',
  }),
  owner(ask, of, ownerId) {
    const group = /^group-(\d+)$/.exec(ownerId)?.[1];
    const path = group ? `/groups/${group}?with_projects=false` : `/users/${encodeURIComponent(ownerId)}`;
    return ask(path, ({ body }) => {
      const owner = readOwner(body, of.host);
      if (String(owner.id) !== (group ?? ownerId)) return null;
      return { kind: group ? 'organisation' : 'user', createdAt: cleanTime(owner.created_at) };
    });
  },
  pages: { releases: '/-/releases', contributors: '/-/graphs/HEAD', files: '/-/blob/HEAD/' },
};

/** Reads details from Forgejo and Gitea, which find repositories by name, not by id, and show no contributors. */
export const forgejoDetails: DetailsReader = {
  async identify(ask, of) {
    const id = await ask(`/repos/${escapePath(of.repository)}`, idOf(of.host));
    if (id !== of.hostRepositoryId) {
      throw new HostFailure('moved', `${of.host} answered about a different repository than requested.`);
    }
  },
  releases: (ask, of) =>
    ask(`/repos/${escapePath(of.repository)}/releases?limit=1&draft=false`, releasesOf(of.host)),
  contributors: null,
  namesIn: (ask, of, folder) =>
    ask(`/repos/${escapePath(of.repository)}/contents${inside(folder)}`, namesOf(of.host)),
  file: (of, path) => ({
    path: `/repos/${escapePath(of.repository)}/raw/${escapePath(path)}`,
    accept: 'text/plain',
  }),
  async owner(ask, of, ownerId) {
    const name = encodeURIComponent(of.repository.split('/')[0] ?? '');
    const account = await ask(`/users/${name}`, ({ body }) => {
      const { id, created } = readOwner(body, of.host);
      return { id: String(id), createdAt: cleanTime(created) };
    });
    if (account.id !== ownerId) return null;
    const organisation = await ask(`/orgs/${name}`, idOf(of.host)).catch((error: unknown) => {
      if (error instanceof HostFailure && error.kind === 'not_found') return null;
      throw error;
    });
    return { kind: organisation === ownerId ? 'organisation' : 'user', createdAt: account.createdAt };
  },
  pages: { releases: '/releases', contributors: '/activity/contributors', files: '/src/branch/HEAD/' },
};

const readEntries = createAnswerParser({
  type: 'object',
  required: ['values'],
  properties: {
    values: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path'],
        properties: { path: { type: 'string', maxLength: 1_000 } },
      },
    },
    next: optionalSchema('string'),
  },
});
const readWorkspace = createAnswerParser({
  type: 'object',
  required: ['uuid'],
  properties: { uuid: ID_SCHEMA, created_on: time },
});

const bitbucketSource = ({ hostRepositoryId }: KnownRepository, path: string) =>
  `/repositories/${encodeURIComponent('{}')}/${encodeURIComponent(hostRepositoryId)}/src/HEAD/${path === '' ? '' : escapePath(path)}`;

/**
 * Reads details from Bitbucket, which shows neither releases nor contributors. Only the first 100 names of a folder are
 * read; the names in a larger folder count as unknown. A workspace counts as an organisation, as in the reader of
 * accounts.
 */
export const bitbucketDetails: DetailsReader = {
  identify: null,
  releases: null,
  contributors: null,
  namesIn: (ask, of, folder) =>
    ask(`${bitbucketSource(of, folder)}?pagelen=100`, ({ body }) => {
      const { values, next } = readEntries(body, of.host);
      return next ? null : values.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
    }),
  file: (of, path) => ({ path: bitbucketSource(of, path), accept: '*/*' }),
  owner: (ask, of, ownerId) =>
    ask(`/workspaces/${encodeURIComponent(ownerId)}`, ({ body }) => {
      const { uuid, created_on } = readWorkspace(body, of.host);
      return String(uuid) === ownerId ? { kind: 'organisation', createdAt: cleanTime(created_on) } : null;
    }),
  pages: { releases: '/downloads/', contributors: '', files: '/src/HEAD/' },
};

import type { HostApi } from '../config/host-catalogue.ts';
import { answerReader, ID, optional } from './answer-reader.ts';
import { askHost } from './ask-host.ts';
import { HostFailure } from './host-failure.ts';
import type { Hosts } from './hosts.ts';

const NAMED = {
  type: 'object',
  properties: {
    id: { anyOf: [ID, { type: 'null' }] },
    uuid: optional('string'),
    login: optional('string'),
    username: optional('string'),
    full_path: optional('string'),
    slug: optional('string'),
  },
} as const;
const readNamed = answerReader(NAMED);
type Named = ReturnType<typeof readNamed>;
const readFound = answerReader({
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'array', items: NAMED } },
});

/** How an interface finds an account by the id that its reader gave it. A path never goes where an id belongs. */
interface FindById {
  /** The form of an id as this host writes it. */
  readonly form: RegExp;
  find(ask: (path: string) => Promise<string>, id: string, host: string): Promise<Named[]>;
}

const NUMBER = /^\d{1,20}$/;

const FINDERS: Partial<Record<HostApi, FindById>> = {
  github: {
    form: NUMBER,
    find: async (ask, id, host) => [readNamed(await ask(`/user/${id}`), host)],
  },
  gitlab: {
    form: /^(?:group-)?\d{1,20}$/,
    async find(ask, id, host) {
      const group = id.startsWith('group-') ? id.slice('group-'.length) : null;
      const path = group === null ? `/users/${id}` : `/groups/${group}?with_projects=false`;
      const { id: number, ...named } = readNamed(await ask(path), host);
      return [{ ...named, id: group === null ? (number ?? null) : `group-${number}` }];
    },
  },
  forgejo: {
    form: NUMBER,
    find: async (ask, id, host) => readFound(await ask(`/users/search?uid=${id}`), host).data,
  },
  bitbucket: {
    form: /^\{[0-9A-Fa-f-]{1,40}\}$/,
    async find(ask, id, host) {
      const { uuid, ...named } = readNamed(await ask(`/workspaces/${encodeURIComponent(id)}`), host);
      return [{ ...named, id: uuid ?? null }];
    },
  },
};

/**
 * The handle that an account on a repository host goes by now, by the host's own id of it; null where the host cannot be
 * asked by id, or knows the id no more. An answer about another id is none. Rejects with a HostFailure where it cannot be
 * read.
 */
export async function presentHandle(
  host: string,
  hostAccountId: string,
  { hosts }: { hosts: Hosts },
): Promise<string | null> {
  const place = hosts.placeOf(host);
  const finder = place && FINDERS[place.api];
  if (!place || !finder?.form.test(hostAccountId)) return null;
  const ask = async (path: string) => (await askHost(hosts, place, path)).body;
  try {
    const found = await finder.find(ask, hostAccountId, place.host);
    const account = found.find(({ id }) => String(id) === hostAccountId);
    return account?.login ?? account?.username ?? account?.full_path ?? account?.slug ?? null;
  } catch (error) {
    if (error instanceof HostFailure && (error.kind === 'not_found' || error.kind === 'moved')) return null;
    throw error;
  }
}

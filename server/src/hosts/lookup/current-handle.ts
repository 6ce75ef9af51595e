import type { HostApi } from '../../platform/config/known-hosts.ts';
import { createAnswerParser, ID_SCHEMA, optionalSchema } from '../answer-parser.ts';
import type { Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import { requestHost } from '../request-host.ts';

const NAMED = {
  type: 'object',
  properties: {
    id: { anyOf: [ID_SCHEMA, { type: 'null' }] },
    uuid: optionalSchema('string'),
    login: optionalSchema('string'),
    username: optionalSchema('string'),
    full_path: optionalSchema('string'),
    slug: optionalSchema('string'),
  },
} as const;
const readNamed = createAnswerParser(NAMED);
type Named = ReturnType<typeof readNamed>;
const readFound = createAnswerParser({
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'array', items: NAMED } },
});

/**
 * Finds an account by the id that the account's reader returned. The format of the id is checked first, so that an id
 * cannot lead to another path of the API.
 */
interface FindById {
  /** Format of this host's ids. */
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
 * Returns the current handle of an account on a repository host, by the host's own id. Returns null if the host cannot
 * be queried by id, or no longer has the id. An answer about another id is ignored. Rejects with a HostFailure if the
 * host cannot be read.
 */
export async function currentHandle(
  host: string,
  hostAccountId: string,
  { hosts }: { hosts: Hosts },
): Promise<string | null> {
  const place = hosts.placeOf(host);
  const finder = place && FINDERS[place.api];
  if (!place || !finder?.form.test(hostAccountId)) return null;
  const ask = async (path: string) => (await requestHost(hosts, place, path)).body;
  try {
    const found = await finder.find(ask, hostAccountId, place.host);
    const account = found.find(({ id }) => String(id) === hostAccountId);
    return account?.login ?? account?.username ?? account?.full_path ?? account?.slug ?? null;
  } catch (error) {
    if (error instanceof HostFailure && (error.kind === 'not_found' || error.kind === 'moved')) return null;
    throw error;
  }
}

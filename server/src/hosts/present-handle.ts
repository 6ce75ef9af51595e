import { answerReader, ID, optional } from './answer-reader.ts';
import { askHost } from './ask-host.ts';
import type { HostApi } from './host-catalogue.ts';
import { HostFailure } from './host-failure.ts';
import type { Hosts } from './hosts.ts';

interface Named {
  id?: number | string | null;
  login?: string | null;
  username?: string | null;
  full_path?: string | null;
  slug?: string | null;
}

const NAMED = {
  type: 'object',
  properties: {
    id: { anyOf: [ID, { type: 'null' }] },
    login: optional('string'),
    username: optional('string'),
    full_path: optional('string'),
    slug: optional('string'),
  },
};
const readNamed = answerReader<Named>(NAMED);
const readFound = answerReader<{ data: Named[] }>({
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'array', items: NAMED } },
});

/** How an interface finds an account by the id that its reader gave it. */
type FindById = (
  ask: (path: string) => Promise<string>,
  id: string,
  host: string,
) => Promise<Named | undefined>;

const FINDERS: Partial<Record<HostApi, FindById>> = {
  github: async (ask, id, host) => readNamed(await ask(`/user/${encodeURIComponent(id)}`), host),
  gitlab: async (ask, id, host) => {
    const group = /^group-(.+)$/.exec(id)?.[1];
    const path = group
      ? `/groups/${encodeURIComponent(group)}?with_projects=false`
      : `/users/${encodeURIComponent(id)}`;
    return readNamed(await ask(path), host);
  },
  forgejo: async (ask, id, host) => {
    const found = readFound(await ask(`/users/search?uid=${encodeURIComponent(id)}`), host);
    return found.data.find((user) => String(user.id) === id);
  },
  bitbucket: async (ask, id, host) => readNamed(await ask(`/workspaces/${encodeURIComponent(id)}`), host),
};

/**
 * The handle that an account on a repository host goes by now, by the host's own id of it; null where the host cannot be
 * asked by id, or knows the id no more. Rejects with a HostFailure where it cannot be read.
 */
export async function presentHandle(
  host: string,
  hostAccountId: string,
  { hosts }: { hosts: Hosts },
): Promise<string | null> {
  const place = hosts.placeOf(host);
  const find = place && FINDERS[place.api];
  if (!place || !find) return null;
  const ask = async (path: string) => (await askHost(hosts, place, path)).body;
  try {
    const account = await find(ask, hostAccountId, place.host);
    return account?.login ?? account?.username ?? account?.full_path ?? account?.slug ?? null;
  } catch (error) {
    if (error instanceof HostFailure && error.kind === 'not_found') return null;
    throw error;
  }
}

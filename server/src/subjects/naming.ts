/** Hosts that a bare `owner/repo` or handle may mean, first wins; an operator's configuration may reorder or extend them. */
export const REPOSITORY_HOSTS = ['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org'] as const;

/** The `host` of a creator that exists only as an account here. */
export const DIRECTORY_HOST = 'directory';

/** What turning names into subjects and back depends on: where this site lives and which host comes first. */
export interface Naming {
  /** Parsed PUBLIC_URL: our own page and listing URLs start with it. */
  readonly site: URL;
  /** Repository hosts in order, lower case; always holds REPOSITORY_HOSTS. */
  readonly hosts: readonly string[];
}

/** Hosts named in `hostOrder` come first; the well-known ones follow, because no bare label is stored for their listings. */
export function createNaming(publicUrl: string, hostOrder: readonly string[] = REPOSITORY_HOSTS): Naming {
  const hosts = new Set([...hostOrder.map((host) => host.toLowerCase()), ...REPOSITORY_HOSTS]);
  return { site: new URL(publicUrl), hosts: [...hosts] };
}

/** True where a bare `owner/repo` or handle is looked up under the host itself, so that no bare label need be stored. */
export function hasOwnPlace(host: string): boolean {
  return host === DIRECTORY_HOST || (REPOSITORY_HOSTS as readonly string[]).includes(host);
}

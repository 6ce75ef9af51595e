/** Where the proof of the account that holds a repository begins, with that account filled in. */
export function claimPath(repositoryUrl: string): string {
  const owner = ownerOf(repositoryUrl);
  return owner === null ? '/console/accounts' : `/console/accounts?${new URLSearchParams({ ...owner })}`;
}

/** The account that holds a repository, as its address says it; null for an address that names none. */
export function ownerOf(repositoryUrl: string): { host: string; handle: string } | null {
  const url = URL.parse(repositoryUrl);
  const [, handle = ''] = url?.pathname.split('/') ?? [];
  return url && handle !== '' ? { host: url.hostname, handle: decodeURIComponent(handle) } : null;
}

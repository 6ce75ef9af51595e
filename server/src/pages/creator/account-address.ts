import type { ProvedAccount } from './creator-page-data.ts';

/** Where a proved account shows itself; null where its host has no such address that is known here. */
export function accountAddress({
  kind,
  host,
  handle,
}: Pick<ProvedAccount, 'kind' | 'host' | 'handle'>): string | null {
  const name = encodeURIComponent(handle);
  if (host === 'npmjs.com') return `https://www.npmjs.com/~${name}`;
  if (host === 'pypi.org') return `https://pypi.org/user/${name}/`;
  return kind === 'repo_host' && host.includes('.') ? `https://${host}/${name}` : null;
}

/** Account on another site that can be proved. */
export interface ClaimedAccount {
  host: string;
  handle: string;
}

/** Path of the form that starts a proof. */
const FORM = '/console/accounts';

/** Returns the path of the proof form, filled in with an account. `listingId` is the listing that the proof is for. */
export function accountClaimPath({ host, handle }: ClaimedAccount, listingId: string | null = null): string {
  const filled = new URLSearchParams({ host, handle, ...(listingId !== null && { for: listingId }) });
  return `${FORM}?${filled}`;
}

/** Returns the path of the proof form, filled in with the account that owns a repository. */
export function claimPath(repositoryUrl: string, listingId: string | null = null): string {
  const owner = ownerOf(repositoryUrl);
  return owner === null ? FORM : accountClaimPath(owner, listingId);
}

/** Returns the account that owns a repository, from its URL; null if the URL names none. */
export function ownerOf(repositoryUrl: string): ClaimedAccount | null {
  const url = URL.parse(repositoryUrl);
  const [, handle = ''] = url?.pathname.split('/') ?? [];
  return url && handle !== '' ? { host: url.hostname, handle: decodeURIComponent(handle) } : null;
}

/** An account elsewhere that someone may prove to be theirs. */
export interface ClaimedAccount {
  host: string;
  handle: string;
}

/** The form that begins every proof. */
const FORM = '/console/accounts';

/** The address of the form that proves an account, filled in with it; `listingId` is the listing that the proof is for. */
export function accountClaimPath({ host, handle }: ClaimedAccount, listingId: string | null = null): string {
  const filled = new URLSearchParams({ host, handle, ...(listingId !== null && { for: listingId }) });
  return `${FORM}?${filled}`;
}

/** The address of the form that proves the account that owns a repository, filled in with that account. */
export function claimPath(repositoryUrl: string, listingId: string | null = null): string {
  const owner = ownerOf(repositoryUrl);
  return owner === null ? FORM : accountClaimPath(owner, listingId);
}

/** The account that holds a repository, as its address says it; null for an address that names none. */
export function ownerOf(repositoryUrl: string): ClaimedAccount | null {
  const url = URL.parse(repositoryUrl);
  const [, handle = ''] = url?.pathname.split('/') ?? [];
  return url && handle !== '' ? { host: url.hostname, handle: decodeURIComponent(handle) } : null;
}

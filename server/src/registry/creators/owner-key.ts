/** An account on a repository host. */
export interface Owner {
  host: string;
  handle: string;
}

/** One text per account, whatever the case of its handle. */
export function ownerKey({ host, handle }: Owner): string {
  return `${host}:${handle.toLowerCase()}`;
}

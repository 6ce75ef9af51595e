import { VERSION } from '../generated/version.ts';

interface MaybeNamed {
  navigator?: { userAgent?: string };
  process?: { version?: string };
}

/**
 * The header that says which version of the SDK sends a request, and from where. A browser keeps `User-Agent` for itself, so there
 * it is `X-Client`.
 */
export function clientName(): Record<string, string> {
  const { navigator, process } = globalThis as MaybeNamed;
  const runtime = navigator?.userAgent || `Node.js/${process?.version}`;
  // The name of every browser starts like this.
  const header = /^Mozilla/.test(runtime) ? 'x-client' : 'user-agent';
  return { [header]: `trust-directory-sdk/${VERSION} ${runtime}` };
}

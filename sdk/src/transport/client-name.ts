import { VERSION } from '../generated/version.ts';

interface MaybeNamed {
  navigator?: { userAgent?: string };
  process?: { version?: string };
}

/**
 * The header that tells the service which version asks, and from where. A browser keeps `User-Agent` for itself, so there
 * it is `X-Client`.
 */
export function clientName(): Record<string, string> {
  const { navigator, process } = globalThis as MaybeNamed;
  const runtime = navigator?.userAgent || `Node.js/${process?.version}`;
  // Every browser's own name begins so.
  const header = /^Mozilla/.test(runtime) ? 'x-client' : 'user-agent';
  return { [header]: `trust-directory-sdk/${VERSION} ${runtime}` };
}

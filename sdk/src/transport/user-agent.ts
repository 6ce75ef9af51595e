import { VERSION } from '../generated/version.ts';

interface RuntimeGlobals {
  navigator?: { userAgent?: string };
  process?: { version?: string };
}

/**
 * Returns the header with the SDK's version and the runtime. It is `X-Client` in browsers, which don't let programs set
 * `User-Agent`.
 */
export function userAgentHeader(): Record<string, string> {
  const runtime =
    (globalThis as RuntimeGlobals).navigator?.userAgent ||
    `Node.js/${(globalThis as RuntimeGlobals).process?.version}`;
  // Every browser's user agent starts with Mozilla.
  const header = /^Moz/.test(runtime) ? 'x-client' : 'user-agent';
  return { [header]: `trust-directory-sdk/${VERSION} ${runtime}` };
}

import createClient from 'openapi-fetch';
import type { paths } from '../../sdk/src/generated/schema.ts';
import type { ApiClient } from './states.ts';

/** Creates a client with the types of the SDK for a base URL. It sends the headers with every call. */
export function clientOf(
  baseUrl: string,
  send: (request: Request) => Promise<Response>,
  headers: Readonly<Record<string, string>> = {},
): ApiClient {
  return createClient<paths>({ baseUrl, fetch: send, headers });
}

/** Public URL that the tested server is configured with. */
export const PUBLIC_URL = 'https://trust.example';

/** Returns the headers that the service's own pages send with this session. */
export function signedIn(token: string): Record<string, string> {
  return { Cookie: `__Host-sid=${token}`, Origin: PUBLIC_URL };
}

/** Returns the headers of a caller with this key; none if it is null. */
export function bearer(secret: string | null): Record<string, string> {
  return secret === null ? {} : { Authorization: `Bearer ${secret}` };
}

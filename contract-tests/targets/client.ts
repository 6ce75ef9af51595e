import createClient from 'openapi-fetch';
import type { paths } from '../../sdk/src/generated/schema.ts';
import type { ApiClient } from './states.ts';

/** The SDK's own types on a base URL, with headers that every call carries. */
export function clientOf(
  baseUrl: string,
  send: (request: Request) => Promise<Response>,
  headers: Readonly<Record<string, string>> = {},
): ApiClient {
  return createClient<paths>({ baseUrl, fetch: send, headers });
}

/** Where the tested server believes that it is reached. */
export const PUBLIC_URL = 'https://trust.example';

/** The headers of the service's own page with this session. */
export function signedIn(token: string): Record<string, string> {
  return { Cookie: `__Host-sid=${token}`, Origin: PUBLIC_URL };
}

/** The headers of a caller with this key; of one without any where it is null. */
export function bearer(secret: string | null): Record<string, string> {
  return secret === null ? {} : { Authorization: `Bearer ${secret}` };
}

import type { Requester } from './call.ts';

/**
 * Builds reads, for programs that can do without openapi-fetch: paths and queries are spelled as there, and `undefined`
 * counts as left out.
 */
export const readerAt =
  (baseUrl: string): Requester =>
  async (_method, path, { params, fetch }) => {
    const filled = path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(params.path?.[name] ?? ''));
    const query = Object.entries(params.query ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${encodeURIComponent(`${value}`)}`)
      .join('&');
    const response = await fetch(new Request(baseUrl.replace(/\/$/, '') + filled + (query && `?${query}`)));
    return { data: await response.text(), response };
  };

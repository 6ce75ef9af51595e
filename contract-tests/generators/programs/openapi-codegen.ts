import { getAgent, listAgents, runOperation } from './client/directoryComponents.ts';
import type { Connect } from './directory.ts';

/** Creates an object that replaces a browser's `window`: the generated client expects to run in a page of the service. */
function openWindow(site: string, key: string): { fetch: typeof fetch } {
  return {
    fetch: (path, init) => {
      const headers = new Headers(init?.headers);
      headers.set('Authorization', `Bearer ${key}`);
      return fetch(`${site}/${String(path).replace(/^\/+/, '')}`, { ...init, headers });
    },
  };
}

export const connect: Connect = (site, key) => {
  Object.assign(globalThis, { window: openWindow(site, key) });
  return {
    list: () => listAgents({ queryParams: { limit: 2 } }),
    detail: (id) => getAgent({ pathParams: { id } }),
    run: (body) => runOperation({ body }),
  };
};

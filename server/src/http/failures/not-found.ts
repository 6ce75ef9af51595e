import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import createRouter, { type HTTPMethod } from 'find-my-way';
import { DomainError } from '../../domain-error.ts';
import { FIXED_SEGMENTS } from '../../subjects/public-path.ts';
import { pathOf } from '../path-of.ts';

/** How paths are read. `/api/agents/` is `/api/agents`, and not the agent with an empty id. */
export const ROUTING = { maxParamLength: 1024, ignoreTrailingSlash: true } as const;

/** The methods that a path does allow, in alphabetical order. */
type AllowedMethods = (path: string) => string[];

interface KnownRoute {
  url: string;
  config: FastifyContextConfig;
}

/** The routes of an app, as a path sees them. */
export interface KnownRoutes {
  /** The route that a request of this method and path would come to. */
  routeAt(method: string, path: string): KnownRoute | null;
  allowedMethods: AllowedMethods;
  /**
   * True where a path that is written out in a route of another method was taken for the value of a parameter: the router
   * looks among the routes of one method only, so that `GET /api/agents/register` would ask for an agent.
   */
  isMistaken(request: Pick<FastifyRequest, 'method' | 'url' | 'routeOptions'>): boolean;
}

const isLiteral = ({ url }: KnownRoute) => !/[:*]/.test(url);

/** Collects the routes as they are registered, in a router like the app's own. Call it before any is. */
export function collectRoutes(app: FastifyInstance): KnownRoutes {
  const router = createRouter(ROUTING);
  const methods = new Set<string>();
  /** The paths that are written out in a route, whatever its method: one look tells most requests that they are none. */
  const literals = createRouter(ROUTING);
  app.addHook('onRoute', ({ url, method, config = {} }) => {
    if (url === '*') return;
    if (!/[:*]/.test(url) && !literals.find('GET', url)) literals.on('GET', url, () => undefined);
    for (const each of [method].flat() as HTTPMethod[]) {
      methods.add(each);
      router.on(each, url, () => undefined, { url, config });
    }
  });

  const routeAt: KnownRoutes['routeAt'] = (method, path) =>
    router.find(method as HTTPMethod, path)?.store ?? null;

  function allowedMethods(path: string): string[] {
    // A page of any owner and repository is no page of ours: below our own first segments such a route says nothing.
    const isOurs = FIXED_SEGMENTS.has(path.split('/')[1] ?? '');
    const found = [...methods].flatMap((method) => {
      const route = routeAt(method, path);
      return route && !(isOurs && route.url.startsWith('/:')) ? [{ method, route }] : [];
    });
    const literal = found.filter(({ route }) => isLiteral(route));
    return (literal.length > 0 ? literal : found).map(({ method }) => method).sort();
  }

  return {
    routeAt,
    allowedMethods,
    isMistaken({ method, url, routeOptions }) {
      if (!routeOptions.url?.includes(':') || !literals.find('GET', pathOf(url))) return false;
      const allowed = allowedMethods(pathOf(url));
      return allowed.length > 0 && !allowed.includes(method);
    },
  };
}

/** The failure of a request that no route takes: 405 where another method would do, else 404. */
export function unmatched(method: string, url: string, allowedMethods: AllowedMethods): DomainError {
  const allow = allowedMethods(pathOf(url));
  if (allow.length > 0 && !allow.includes(method)) {
    return new DomainError(
      'method_not_allowed',
      `This path does not allow ${method}. Allowed: ${allow.join(', ')}.`,
      { allow },
    );
  }
  return new DomainError(
    'not_found',
    'There is nothing at this address. The API is described at /openapi.yaml.',
  );
}

/** Whether a failure is that of a request which no route takes, and no route's own. */
export function isStray(thrown: unknown, { is404 }: Pick<FastifyRequest, 'is404'>): boolean {
  if (!(thrown instanceof DomainError)) return false;
  return thrown.code === 'method_not_allowed' || (is404 && thrown.code === 'not_found');
}

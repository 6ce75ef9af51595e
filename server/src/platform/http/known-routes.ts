import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import createRouter, { type HTTPMethod } from 'find-my-way';
import { DomainError } from '../errors/domain-error.ts';
import { pathOf } from './redirect-paths.ts';

/** Options of the router. `/api/agents/` equals `/api/agents`, and does not mean an agent with an empty id. */
export const ROUTING = { maxParamLength: 1024, ignoreTrailingSlash: true } as const;

interface KnownRoute {
  url: string;
  config: FastifyContextConfig;
}

/** Routes of an app, searchable by path. */
export interface KnownRoutes {
  /** Finds the route for a method and a path; null if there is none. */
  routeAt(method: string, path: string): KnownRoute | null;
  /** Returns the methods that a path allows, in alphabetical order. */
  allowedMethods(path: string): string[];
  /**
   * Returns true if the path is a literal route of another method, but was matched as a parameter value. The router
   * searches only the routes of one method, so `GET /api/agents/register` would look for an agent.
   */
  isMatchedAsParameter(request: Pick<FastifyRequest, 'method' | 'url' | 'routeOptions'>): boolean;
}

const isLiteral = ({ url }: KnownRoute) => !/[:*]/.test(url);

/**
 * Collects the routes as they are registered, in a router like the app's own. Call it before any route is registered.
 * `ownSegments` are the first path segments that belong to this site; below them, `/:owner/:repository` has no pages.
 */
export function collectRoutes(app: FastifyInstance, ownSegments: ReadonlySet<string>): KnownRoutes {
  const router = createRouter(ROUTING);
  const methods = new Set<string>();
  /**
   * Literal paths of the routes of all methods. With one lookup, `isMatchedAsParameter` returns false for most
   * requests.
   */
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
    // Skip the route `/:owner/:repository` below our own first segments, because it has no pages there.
    const isOurs = ownSegments.has(path.split('/')[1] ?? '');
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
    isMatchedAsParameter({ method, url, routeOptions }) {
      if (!routeOptions.url?.includes(':') || !literals.find('GET', pathOf(url))) return false;
      const allowed = allowedMethods(pathOf(url));
      return allowed.length > 0 && !allowed.includes(method);
    },
  };
}

/** Creates the failure for a request without a route: 405 if the path allows other methods, otherwise 404. */
export function noRouteError(
  method: string,
  url: string,
  allowedMethods: KnownRoutes['allowedMethods'],
): DomainError {
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

/** Returns true if a failure means that no route matched; false for a failure of a route that matched. */
export function isNoRouteError(thrown: unknown, { is404 }: Pick<FastifyRequest, 'is404'>): boolean {
  if (!(thrown instanceof DomainError)) return false;
  return thrown.code === 'method_not_allowed' || (is404 && thrown.code === 'not_found');
}

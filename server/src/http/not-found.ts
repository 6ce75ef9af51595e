import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../domain-error.ts';
import { FIXED_SEGMENTS } from '../subjects/public-path.ts';
import { pathOf } from './path-of.ts';

interface KnownRoute {
  pattern: RegExp;
  method: string;
  /** Its first segment is a parameter. */
  open: boolean;
}

/** The paths that a route's address stands for. */
export function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('\\*', '.*')}/?$`);
}

/** The methods that a path does allow, in alphabetical order. */
export type AllowedMethods = (path: string) => string[];

/** The routes of an app, as a path sees them. */
export interface KnownRoutes {
  allowedMethods: AllowedMethods;
  /**
   * True where a path that is written out in a route of another method was taken for the value of a parameter: the router
   * looks among the routes of one method only, so that `GET /api/agents/register` would ask for an agent.
   */
  isMistaken(request: Pick<FastifyRequest, 'method' | 'url' | 'routeOptions'>): boolean;
}

/** Collects the routes as they are registered. Call it before any is. */
export function collectRoutes(app: FastifyInstance): KnownRoutes {
  const routes: KnownRoute[] = [];
  const literals = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return;
    for (const each of [method].flat().map((name) => name.toUpperCase())) {
      routes.push({ pattern: patternOf(url), method: each, open: url.startsWith('/:') });
      if (!/[:*]/.test(url)) literals.set(url, (literals.get(url) ?? new Set()).add(each));
    }
  });
  const literalAt = (path: string) => literals.get(path.length > 1 ? path.replace(/\/$/, '') : path);
  return {
    isMistaken({ method, url, routeOptions }) {
      const methods = routeOptions.url?.includes(':') ? literalAt(pathOf(url)) : undefined;
      return methods !== undefined && !methods.has(method);
    },
    allowedMethods: (path) => [...(literalAt(path) ?? methodsOf(path, routes))].sort(),
  };
}

function methodsOf(path: string, routes: readonly KnownRoute[]): Set<string> {
  // A page of any owner and repository is no page of ours: below our own first segments such a pattern says nothing.
  const ours = FIXED_SEGMENTS.has(path.split('/')[1] ?? '');
  const matching = routes.filter(({ pattern, open }) => !(ours && open) && pattern.test(path));
  return new Set(matching.map(({ method }) => method));
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

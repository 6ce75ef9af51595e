import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain-error.ts';
import { FIXED_SEGMENTS } from '../subjects/public-path.ts';

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

/** Collects the routes as they are registered; answers the methods that a path does allow. Register before any route. */
export function collectRoutes(app: FastifyInstance): (path: string) => string[] {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return;
    for (const each of [method].flat()) {
      routes.push({ pattern: patternOf(url), method: each.toUpperCase(), open: url.startsWith('/:') });
    }
  });
  return (path) => {
    // A page of any owner and repository is no page of ours: below our own first segments such a pattern says nothing.
    const ours = FIXED_SEGMENTS.has(path.split('/')[1] ?? '');
    const matching = routes.filter(({ pattern, open }) => !(ours && open) && pattern.test(path));
    return [...new Set(matching.map(({ method }) => method))].sort();
  };
}

/** The failure of a request that no route takes: 405 where another method would do, else 404. */
export function unmatched(
  method: string,
  url: string,
  allowedMethods: (path: string) => string[],
): DomainError {
  const path = url.split('?')[0] ?? '';
  const allow = allowedMethods(path);
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

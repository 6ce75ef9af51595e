import Fastify from 'fastify';
import { beforeAll, expect, it } from 'vitest';
import { CONSOLE_PAGES } from '../../testing/console/console-paths.ts';
import { PUBLIC_PAGES } from '../../testing/pages/page-paths.ts';
import { readPlanBook } from '../access/plans/plans.ts';
import { createPublicUrls, RESERVED_SEGMENTS } from '../catalog/subjects/public-path.ts';
import { loadContract } from '../platform/http/contract/parse-contract.ts';
import { packageFile } from '../platform/package-files.ts';
import { registerConsole } from './console/register-console.tsx';
import { registerPages } from './public/register-pages.ts';

/** Routes that answer with a file or a redirect instead of a page. */
const NOT_PAGES =
  /^\/(?:assets|badge|styles|sdk)\/|^\/(?:robots\.txt|llms\.txt|sitemap\.xml|suggest|favicon\.ico)$|^\/:owner\/:repository$|\.csv$/;

/** Replaces the dependencies of routes. Routes use them only when a request is handled, which this test never does. */
const UNUSED = new Proxy({}, { get: () => () => null }) as never;

let routes: string[];

beforeAll(async () => {
  const app = Fastify();
  routes = [];
  app.addHook('onRoute', ({ method, url }) => {
    if (method === 'GET') routes.push(url);
  });
  const publicUrls = createPublicUrls('https://trust.example');
  const planBook = readPlanBook(packageFile('plans.json'));
  const sdk = { installLine: null, read: () => null };
  await registerPages(app, { reads: UNUSED, publicUrls, contract: loadContract(), planBook, sdk });
  await registerConsole(app, { publicUrls, authentication: UNUSED, database: UNUSED } as never);
  await app.close();
});

it('reserve the first segment of every path that could be a repository', () => {
  const paths = [...routes, ...Object.keys(loadContract().document.paths ?? {})];
  const first = paths.filter((path) => path.split('/').length > 2).map((path) => path.split('/')[1] ?? '');
  const literal = [...new Set(first)].filter((segment) => !/^[:{*]/.test(segment));

  expect(literal.filter((segment) => !RESERVED_SEGMENTS.has(segment))).toEqual([]);
  expect(literal.length).toBeGreaterThan(8);
});

it('of pages are each visited by the long tests', () => {
  const world = new Proxy({}, { get: () => 'x' }) as never;
  const visited = [...Object.values(PUBLIC_PAGES), ...CONSOLE_PAGES.map(({ path }) => path(world))];
  const paths = visited.map((path) => path.replace(/\?.*$/, ''));
  const isVisited = (route: string) => {
    const pattern = new RegExp(`^${route.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`);
    return paths.some((path) => pattern.test(path));
  };

  // One page per kind is enough: pages of operations differ only in texts of the contract, and pages of artifacts of agents
  // differ from those of skills only in the path.
  const kinds = routes.map((route) =>
    route.replace(/^\/docs\/(?!errors$)\w+$/, '/docs/:operation').replace(/^\/a\/(.*:artifact)$/, '/s/$1'),
  );
  expect(kinds.filter((route) => !NOT_PAGES.test(route) && !isVisited(route))).toEqual([]);
  expect(routes.length).toBeGreaterThan(50);
});

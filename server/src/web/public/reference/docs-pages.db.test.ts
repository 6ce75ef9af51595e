import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { type MadeListing, makeListing, makeScore } from '../../../../testing/subjects/registry.factory.ts';
import { buildApp } from '../../../app.ts';
import { loadConfig } from '../../../platform/config/load-config.ts';
import { loadContract } from '../../../platform/http/contract/parse-contract.ts';
import { createServices, type Services } from '../../../services.ts';
import { endpointIds, endpointPath, readReference } from './reference.ts';

const contract = loadContract();
const PAGES = [
  '/docs',
  '/docs?q=key',
  '/docs/errors',
  '/pricing',
  ...endpointIds(contract).map(endpointPath),
];

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const config = loadConfig({ LOG_LEVEL: 'silent', RATE_LIMIT_PUBLIC_PER_MINUTE: '0' });
  services = createServices(config, { databaseUrl: test.url });
  app = await buildApp(services);
});
afterAll(async () => {
  await app?.close();
  await services?.close();
  await test?.close();
});

const idsIn = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const linksIn = (html: string) =>
  [...html.matchAll(/ (?:href|action)="([^"]+)"/g)].map(([, link = '']) => link);

describe('every page of the documentation', () => {
  it('exists for each operation of the contract, and for the webhook that this service calls', () => {
    const { operations } = contract;

    expect(endpointIds(contract)).toEqual([
      ...operations.map(({ operationId }) => operationId),
      'scoreSubject',
    ]);
  });

  it.each(PAGES)('%s has less than 100 kB, and loads only style sheets and scripts', async (url) => {
    const { statusCode, headers, rawPayload, body } = await app.inject(url);

    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("style-src 'self';");
    expect(rawPayload.length).toBeLessThan(100_000);
    expect(body).not.toMatch(/ style="|<style|<script(?![^>]* src="\/assets\/site-)| on\w+="/);
    expect(new Set(idsIn(body)).size).toBe(idsIn(body).length);
  });

  it('has only links whose page and anchor exist', async () => {
    const bodies = new Map<string, string>();
    const read = async (path: string) => {
      const known = bodies.get(path);
      if (known !== undefined) return known;
      const { statusCode, body } = await app.inject(path);
      expect([path, statusCode < 400]).toEqual([path, true]);
      bodies.set(path, body);
      return body;
    };
    const wrong: string[] = [];
    for (const page of PAGES) {
      for (const link of new Set(linksIn(await read(page)))) {
        if (!/^[/#]/.test(link)) continue;
        const [path = '', anchor] = (link.startsWith('#') ? page + link : link).split('#');
        const body = await read(path);
        if (anchor !== undefined && !idsIn(body).includes(anchor)) wrong.push(`${page}: ${link}`);
      }
    }

    expect(wrong).toEqual([]);
  });
});

describe('an endpoint’s page', () => {
  it.each(readReference(contract).endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s has every parameter, response and example, and links to each error code',
    async (operationId, { summary, parameters, body, responses: answers }) => {
      const page = (await app.inject(endpointPath(operationId))).body;

      expect(page).toContain(`<h1>${summary}</h1>`);
      for (const { name } of parameters) expect(page).toContain(`id="parameter-${name}"`);
      for (const { name } of body?.fields ?? []) expect(page).toContain(`id="body-${name}"`);
      const examples = [body, ...answers.map(({ content }) => content)].flatMap(
        (each) => each?.examples ?? [],
      );
      expect(page.match(/<summary>Example: /g)?.length ?? 0).toBe(examples.length);
      for (const { status, codes } of answers) {
        expect(page).toContain(`id="answer-${status}"`);
        for (const code of codes) expect(page).toContain(`href="/docs/errors#${code}"`);
      }
    },
  );

  it('shows a call for the currently most trusted agent or skill', async () => {
    const before = (await app.inject('/docs/getAgent')).body;
    const { database } = test;
    const robot = await makeListing(database, { repository: 'acme/robot', type: 'agent' });
    const trusted = async (listing: MadeListing, trust: number) => {
      await makeScore(database, listing, { trust, confidence: 50, version: '2026-08-01T10:20:30.123456Z' });
      return (await app.inject('/docs/getAgent')).body;
    };
    const after = await trusted(robot, 60);
    const better = await makeListing(database, { repository: "acme/it's", type: 'agent' });
    const later = await trusted(better, 80);

    expect(before).toContain('/api/agents/AGT-7K2MQ9XD');
    expect(after).toContain(`/api/agents/${robot.agentId}`);
    expect(after).toContain(`client.agents.get('${robot.agentId}')`);
    expect(later).toContain(`/api/agents/${better.agentId}`);
    const run = (await app.inject('/docs/runOperation')).body;
    expect(run).toContain(`"subject": "acme/it'\\''s"`);
    expect(run).toContain(`subject: 'acme/it\\'s'`);
  });
});

it('the table of responses shows first sentences, without cutting code', async () => {
  const { body } = await app.inject('/docs/runOperation');
  const sums = [...body.matchAll(/<a href="#answer-\d+">(\d+)<\/a><\/th><td>(.*?)<\/td>/gs)];

  expect(sums.length).toBeGreaterThan(10);
  for (const [, status, sum = ''] of sums)
    expect([status, sum]).toEqual([status, expect.not.stringContaining('`')]);
});

describe('a search of the documentation', () => {
  it.each([
    ['runOperation', 'href="/docs/runOperation"'],
    ['idempotency', 'href="/docs/runOperation#body-idempotency_key"'],
    ['insufficient_credits', 'href="/docs/errors#insufficient_credits"'],
    ['mock', 'href="/docs#mock"'],
    ['/api/receipts', 'href="/docs/listReceipts"'],
    ['creator handle', 'href="/docs/getIdentity'],
  ])('finds “%s”, without a script', async (query, link) => {
    const { body } = await app.inject(`/docs?q=${encodeURIComponent(query)}`);

    const main = body.slice(body.indexOf('<article>'), body.indexOf('</article>'));
    expect(main).toContain(link);
  });

  it('says if it finds nothing, and escapes the query', async () => {
    const { body } = await app.inject(`/docs?q=${encodeURIComponent('<b>zzz"')}`);

    expect(body).toContain('No page contains all words of “&lt;b>zzz&quot;”');
    expect(body).toContain('content="noindex"');
  });
});

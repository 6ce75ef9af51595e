import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { account, listing } from '../../../testing/import/rows.ts';
import { REGISTRY, SPELLINGS, type Spelling } from '../../../testing/subjects/spellings.ts';
import { buildApp } from '../../app.ts';
import { loadConfig } from '../../platform/config/load-config.ts';
import { SUBJECT_TYPES, type SubjectType } from '../../scoring/subject-type.ts';
import { createServices, type Services } from '../../services.ts';

const SITE = 'https://trust.example';

let work: ImportWorkspace;
let services: Services;
let app: FastifyInstance;

beforeAll(async () => {
  work = await createImportWorkspace();
  await work.store(...REGISTRY);
  const config = loadConfig({ LOG_LEVEL: 'silent', PUBLIC_URL: SITE, RATE_LIMIT_PUBLIC_PER_MINUTE: '0' });
  services = createServices(config, { databaseUrl: work.url });
  app = await buildApp(services);
});
afterAll(async () => {
  await app.close();
  await services.close();
  await work.close();
});

interface Answer {
  status: number;
  body: { canonical_id: string; type: string; public_path: string; candidates?: unknown[]; error?: string };
  headers: Record<string, unknown>;
}

async function lookUp(subject: string, type?: SubjectType): Promise<Answer> {
  const query = new URLSearchParams({ subject, ...(type && { type }) });
  const { statusCode, body, headers } = await app.inject(`/api/subjects?${query}`);
  return { status: statusCode, body: JSON.parse(body) as Answer['body'], headers };
}

/** Summarises a response: the path of a page, `several` or `nobody`. */
function wordOf({ status, body }: Answer): string {
  if (status === 404 && body.error === 'not_found') return 'nobody';
  if (status === 409 && body.error === 'subject_ambiguous' && (body.candidates ?? []).length > 1)
    return 'several';
  return status === 200 ? body.public_path : `status ${status}`;
}

describe('lookupSubject', () => {
  it('resolves every spelling to its subject, for each type and for any type', async () => {
    const [row] = await work.database.query<{ agentId: string }>(
      `SELECT agent_id AS "agentId" FROM listing WHERE host = 'gitlab.com'`,
    );
    const check = async ({ text, pages, any }: Spelling) => {
      const subject = text.replace('{SITE}', SITE);
      const expected = (type: SubjectType) =>
        (pages[type] ?? 'nobody').replace('{OTHER_HOST}', row?.agentId ?? '');

      const found: Record<string, string> = {};
      for (const type of SUBJECT_TYPES) found[type] = wordOf(await lookUp(subject, type));
      const anyType = wordOf(await lookUp(subject));

      expect(found).toEqual(Object.fromEntries(SUBJECT_TYPES.map((type) => [type, expected(type)])));
      expect(anyType).toBe(any === 'several' || any === 'nobody' ? any : expected(any));
    };

    await expectEveryRow(SPELLINGS, ({ text }) => JSON.stringify(text), check, { concurrency: 4 });
  });

  it('returns the same record by canonical id and by agent id, in any case', async () => {
    const { body } = await lookUp('acme/robot', 'agent');
    const agentId = (body as unknown as { agent_id: string }).agent_id;

    for (const text of [body.canonical_id, body.canonical_id.toUpperCase(), agentId, agentId.toLowerCase()])
      expect((await lookUp(text)).body).toEqual(body);
    const byId = await app.inject(`/api/subjects/${body.canonical_id}`);
    expect(JSON.parse(byId.body)).toEqual(body);
    expect(JSON.parse((await app.inject(`/api/agents/${agentId}`)).body)).toMatchObject({
      trustScore: (body as unknown as { trustScore: number }).trustScore,
    });
  });

  it('allows caching with revalidation, and returns 304 for an unchanged record', async () => {
    const { headers } = await lookUp('acme/robot', 'agent');
    const again = await app.inject({
      url: '/api/subjects?subject=acme%2Frobot&type=agent',
      headers: { 'if-none-match': String(headers.etag) },
    });

    expect(headers['cache-control']).toBe('public, no-cache');
    expect(again.statusCode).toBe(304);
    expect((await lookUp('acme/nothing')).headers['cache-control']).toBe('no-store');
  });

  it('returns at most ten candidates for a popular name', async () => {
    await work.store(...Array.from({ length: 12 }, (_, n) => listing(`owner-${n}/popular`)));

    expect((await lookUp('popular')).body.candidates).toHaveLength(10);
  });
});

describe('subjects that change', () => {
  it('keep their id after a rename, and lose their name to another repository with another id', async () => {
    await work.store(listing('moving/first', { githubRepoId: '501' }));
    const { body: before } = await lookUp('moving/first');

    await work.store(listing('moving/second', { githubRepoId: '501' }));
    expect((await lookUp('moving/first')).body).toMatchObject({
      canonical_id: before.canonical_id,
      public_path: '/s/moving/second',
    });

    await work.store(listing('moving/first', { githubRepoId: '502' }));
    const { body: successor } = await lookUp('moving/first');
    expect(successor.canonical_id).not.toBe(before.canonical_id);
    expect((await lookUp('moving/second')).body.canonical_id).toBe(before.canonical_id);
    expect((await lookUp(before.canonical_id)).status).toBe(200);
  });

  it('resolve to the same id or the new one at any time during an import that renames them', async () => {
    const count = 40;
    const rows = (suffix: string) => [
      ...Array.from({ length: count }, (_, n) =>
        account('x', `racer_${n}_${suffix}`, { platformAccountId: `race-${n}` }),
      ),
      ...Array.from({ length: count }, (_, n) =>
        listing(`racer-${n}/${suffix}`, { githubRepoId: `race-${n}` }),
      ),
    ];
    await work.store(...rows('one'));
    const names = Array.from({ length: count }, (_, n) => [`x:racer_${n}_one`, `racer-${n}/one`]).flat();
    const ids = new Map<string, string>();
    for (const name of names) ids.set(name, (await lookUp(name)).body.canonical_id);

    let running = true;
    const importing = work.store(...rows('two')).finally(() => {
      running = false;
    });
    let asked = 0;
    while (running) {
      const name = names[asked % names.length] as string;
      const answer = await lookUp(name);
      expect([name, answer.status, answer.body.canonical_id]).toEqual([name, 200, ids.get(name)]);
      asked += 1;
    }
    await importing;

    expect(asked).toBeGreaterThan(5);
    expect((await lookUp('x:racer_0_two')).body.canonical_id).toBe(ids.get('x:racer_0_one'));
  });
});

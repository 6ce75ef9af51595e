import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount, type TestAccount } from '../../../testing/factories.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { artifact, listing } from '../../../testing/import/rows.ts';
import { buildApp } from '../../app.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import { loadConfig } from '../../platform/config/load-config.ts';
import { createServices, type Services } from '../../services.ts';
import { delistListing } from './delist-listing.ts';
import { relistListing } from './relist-listing.ts';

const SITE = 'https://trust.example';
const WHY =
  /^github\.com\/Acme\/Robot was removed by the operator of this directory on \d{4}-\d\d-\d\d: <b>Spam<\/b>\./;
const publicUrls = createPublicUrls(SITE);

let work: ImportWorkspace;
let services: Services;
let app: FastifyInstance;
let account: TestAccount;
let agentId: string;
let subjectId: string;
let settled: Record<string, unknown>;

beforeAll(async () => {
  work = await createImportWorkspace();
  await work.store(
    listing('Acme/Robot', { type: 'agent', stars: 900, license: 'MIT' }),
    artifact('acme/robot', 'maps'),
    listing('acme/other'),
  );
  const config = loadConfig({ LOG_LEVEL: 'silent', PUBLIC_URL: SITE, RATE_LIMIT_PUBLIC_PER_MINUTE: '0' });
  services = createServices(config, { databaseUrl: work.url });
  app = await buildApp(services);
  account = await makeAccount(work.database);
  const subject = await resolveSubject(work.database, 'agent', 'acme/robot', publicUrls);
  [agentId, subjectId] = [subject.agentId ?? '', subject.id];
  settled = (await run('acme/robot', 'kept')).body;
  expect(settled).toMatchObject({ settled: true });
  await delistListing(work.database, { text: agentId, reason: '<b>Spam</b>', publicUrls });
});
afterAll(async () => {
  await app.close();
  await services.close();
  await work.close();
});

async function get(url: string) {
  const authorization = `Bearer ${account.key.secret}`;
  const headers = url.startsWith('/api/receipts') ? { authorization } : {};
  const { statusCode: status, body, headers: told } = await app.inject({ url, headers });
  return { status, body, type: told['content-type'], caching: told['cache-control'] };
}

async function post(url: string, payload: object) {
  const headers = { authorization: `Bearer ${account.key.secret}` };
  const { statusCode: status, body } = await app.inject({ method: 'POST', url, headers, payload });
  return { status, body: JSON.parse(body) as Record<string, unknown> };
}

function run(subject: string, idempotency_key: string = randomUUID(), more: object = {}) {
  return post('/api/svc/operations/run', { operation: 'agent_score', subject, idempotency_key, ...more });
}

async function balances() {
  return work.database.query(
    'SELECT source, used, held, (SELECT count(*) FROM usage_run) AS runs FROM credit_bucket ORDER BY id',
  );
}

describe('a delisted listing', () => {
  it('is a 410 with the reason in every API operation', async () => {
    const urls = [`/api/agents/${agentId}`, `/api/agents/${agentId}/lineage`];
    urls.push(
      `/api/subjects/${subjectId}`,
      '/api/subjects?subject=acme/robot',
      '/api/subjects?subject=acme/robot%23maps',
    );

    for (const url of urls) {
      const { status, body, caching } = await get(url);

      expect(status, url).toBe(410);
      expect(JSON.parse(body)).toEqual({ error: 'gone', message: expect.stringMatching(WHY), status: 410 });
      expect(caching).toBe('no-store');
    }
  });

  it('is a 410 page with the reason as text, at all of its addresses and those of its artifacts', async () => {
    for (const url of [
      '/a/Acme/Robot',
      `/a/id/${agentId}`,
      `/a/id/${subjectId}`,
      '/acme/robot',
      '/s/acme/robot/maps',
    ]) {
      const { status, body, type } = await get(url);

      expect(status, url).toBe(410);
      expect(type).toContain('text/html');
      expect(body).toContain('No longer listed');
      expect(body).toContain('&lt;b>Spam&lt;/b>');
      expect(body).not.toContain('<b>Spam');
    }
  });

  it('has a badge that shows the removal, and no card', async () => {
    const picture = await get(`/badge/agent/${agentId}.svg`);
    const json = await get(`/badge/agent/${subjectId}.json`);

    expect(picture).toMatchObject({ status: 410, type: expect.stringContaining('image/svg+xml') });
    expect(picture.body).toContain('delisted');
    expect(json.status).toBe(410);
    expect(JSON.parse(json.body)).toMatchObject({ schemaVersion: 1, message: 'delisted', isError: true });
    expect((await get(`/badge/agent/${agentId}/card.png`)).status).toBe(410);
    expect((await get('/badge/agent/AGT-00000000.svg')).status).toBe(404);
  });

  it('is absent from the list, its creator’s page and the sitemap', async () => {
    const { data, total } = JSON.parse((await get('/api/agents')).body) as {
      data: { id: string }[];
      total: number;
    };

    expect(total).toBe(1);
    expect(data.map(({ id }) => id)).not.toContain(agentId);
    expect((await get('/c/acme')).body).not.toMatch(/Acme\/Robot|AGT-\w+"/);
    expect((await get('/api/identity/acme')).body).toContain('"agentCount":1');
  });

  it('is refused by metered calls, without charge', async () => {
    const before = await balances();

    const texts = ['acme/robot', agentId, subjectId, `${SITE}/a/id/${agentId}`];
    for (const answer of [
      ...(await Promise.all(texts.map((text) => run(text)))),
      await run('acme/robot', 'd', { dry_run: true }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { ok: false, code: 'subject_delisted' } });
      expect(answer.body.error).toMatch(WHY);
      expect(answer.body.error).toMatch(/ Nothing was charged\.$/);
    }

    expect(await balances()).toEqual(before);
  });

  it('leaves earlier receipts unchanged, and their keys can be replayed', async () => {
    const { resolved_subject: before, ledger_id } = settled as {
      resolved_subject: object;
      ledger_id: string;
    };
    const subject = { ...before, public_path: `/a/id/${agentId}` };

    expect(await run('acme/robot', 'kept')).toMatchObject({
      status: 200,
      body: { idempotent: true, ledger_id, resolved_subject: subject },
    });
    expect(JSON.parse((await get(`/api/receipts/${ledger_id}`)).body)).toMatchObject({
      state: 'settled',
      subject,
    });
    expect(JSON.parse((await get('/api/receipts')).body)).toMatchObject({ data: [{ ledger_id, subject }] });
  });

  it('cannot be registered again, in any spelling', async () => {
    for (const repoHostUrl of ['https://github.com/acme/ROBOT', 'git@github.com:Acme/Robot.git']) {
      const answer = await post('/api/agents/register', {
        repoHostUrl,
        name: 'Robot',
        description: 'Again',
        category: 'coding',
      });

      expect(answer).toMatchObject({ status: 410, body: { error: 'gone', status: 410 } });
      expect(answer.body.message).toMatch(WHY);
    }
  });

  it('is served everywhere as before after relisting', async () => {
    await relistListing(work.database, agentId, publicUrls);

    expect((await get(`/api/agents/${agentId}`)).status).toBe(200);
    expect((await get('/a/Acme/Robot')).status).toBe(200);
    expect((await get(`/badge/agent/${agentId}.svg`)).status).toBe(200);
    expect(await run(agentId)).toMatchObject({ status: 200 });
    expect(await run('acme/robot', 'kept')).toMatchObject({
      body: { resolved_subject: settled.resolved_subject },
    });
  });
});

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { osvRecord, storeOsv } from '../../../testing/advisories/sample-advisories.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { makeArtifact, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { REGISTRY, SPELLINGS } from '../../../testing/subjects/spellings.ts';
import { buildApp } from '../../app.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { loadConfig } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import { SUBJECT_TYPES, type SubjectType } from '../../scoring/subject-type.ts';
import { createServices, type Services } from '../../services.ts';
import { delistListing } from '../delisting/delist-listing.ts';
import { lookUpMany } from './look-up-many.ts';

const SITE = 'https://trust.example';
const PUBLIC_URLS = createPublicUrls(SITE);

interface Asked {
  readonly subject: string;
  readonly type?: SubjectType;
}
interface Answer {
  readonly subject: string;
  readonly status: string;
  readonly record: object | null;
  readonly package: object | null;
  readonly candidates?: readonly { canonical_id: string }[];
  readonly removed?: object;
  readonly message?: string;
}

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

async function lookUpAll(subjects: readonly Asked[]): Promise<Answer[]> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/subjects/lookup',
    payload: { subjects },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ data: Answer[] }>().data;
}

const STATUS: Readonly<Record<number, string>> = {
  200: 'found',
  400: 'invalid',
  404: 'not_found',
  409: 'ambiguous',
  410: 'removed',
};

/** Looks up one subject in a request of its own, and returns the answer expected for it in a request for many. */
async function lookUpAlone({ subject, type }: Asked) {
  const query = new URLSearchParams({ subject, ...(type && { type }) });
  const { statusCode, body } = await app.inject(`/api/subjects?${query}`);
  const { package: _named, ...record } = JSON.parse(body) as Record<string, unknown>;
  const message = statusCode === 200 ? undefined : record.message;
  return { status: STATUS[statusCode], record: statusCode === 200 ? record : null, message };
}

it('answers every spelling as it is answered alone, for each type and for any type', async () => {
  const types = [undefined, ...SUBJECT_TYPES];
  const asked = SPELLINGS.flatMap(({ text }) =>
    types.map((type) => ({ subject: text.replace('{SITE}', SITE), ...(type && { type }) })),
  );
  const answers: Answer[] = [];
  for (let from = 0; from < asked.length; from += 100) {
    answers.push(...(await lookUpAll(asked.slice(from, from + 100))));
  }

  const rows = asked.map((each, index) => [each, answers[index]] as const);
  await expectEveryRow(
    rows,
    ([{ subject, type = 'any type' }]) => `${subject} of ${type}`,
    async ([each, answer]) => {
      const alone = await lookUpAlone(each);
      expect(answer?.subject).toBe(each.subject);
      expect({ status: answer?.status, record: answer?.record }).toEqual({
        status: alone.status,
        record: alone.record,
      });
      if (alone.status !== 'invalid') expect(answer?.message).toBe(alone.message);
    },
    { concurrency: 4 },
  );
});

it('answers what cannot be a subject, and fails no other by it', async () => {
  const listing = await makeListing(work.database, { name: 'Notes' });
  const unusable = ['', '   ', 'a\u0000b', 'line\nbreak', 'x'.repeat(513), '\u0085'];
  const asked = [...unusable, listing.id, `${' '.repeat(600)}${listing.repository}`];

  const answers = await lookUpAll(asked.map((subject) => ({ subject })));

  expect(answers.map(({ status }) => status)).toEqual([...unusable.map(() => 'invalid'), 'found', 'found']);
});

it('says what was removed, when and why, of a repository and of what is inside it', async () => {
  const listing = await makeListing(work.database);
  await makeArtifact(work.database, listing, { name: 'tool' });
  await delistListing(work.database, { text: listing.id, reason: 'It was spam.', publicUrls: PUBLIC_URLS });

  const asked = [listing.repository, `${listing.repository}#tool`].map((subject) => ({ subject }));
  const answers = await lookUpAll(asked);

  const removed = {
    status: 'removed',
    record: null,
    removed: {
      repository: `github.com/${listing.repository}`,
      removed_on: expect.any(String),
      reason: 'It was spam.',
    },
  };
  expect(answers).toMatchObject([removed, removed]);
});

it('names the package of each subject as a look-up of the package does', async () => {
  const made = await makeListing(work.database, { npmPackage: 'bulk-notes', pypiPackage: 'bulk_notes' });
  await work.database.query(
    'UPDATE listing SET npm_confirmed = true, pypi_confirmed = false WHERE subject_id = $1',
    [made.id],
  );
  await storeOsv(work.database, osvRecord('MAL-2026-11', 'bulk-notes'), osvRecord('MAL-2026-12', 'unlisted'));
  const packages = [
    'npm:bulk-notes@1.0.0',
    'npm:bulk-notes',
    'pypi:bulk.notes',
    'npm:unlisted',
    'npm:unknown',
  ];

  const answers = await lookUpAll([...packages, 'bulk-notes'].map((subject) => ({ subject })));

  for (const [index, named] of packages.entries()) {
    const alone = await app.inject(`/api/packages?${new URLSearchParams({ package: named })}`);
    expect(answers[index]?.package).toEqual(alone.json());
  }
  expect(answers).toMatchObject([
    { record: { canonical_id: made.id }, package: { listing: { canonical_id: made.id } } },
    { record: { canonical_id: made.id }, package: { version: null, standing: 'affected' } },
    // Only a list claims that the package belongs to the subject, so the package's advisories do not apply to it.
    { record: { canonical_id: made.id }, package: { listing: null } },
    { status: 'not_found', record: null, package: { standing: 'affected' } },
    { status: 'not_found', record: null, package: {} },
    { package: null },
  ]);
});

it('sends as many statements for 100 subjects as for one of each kind', async () => {
  let statements = 0;
  const counting: Database = {
    ...work.database,
    query: (sql, bind) => {
      statements += 1;
      return work.database.query(sql, bind);
    },
  };
  const kinds = (number: number): Asked[] => [
    { subject: `npm:package-${number}@1.0.0` },
    { subject: `owner/repository-${number}`, type: 'agent' },
    { subject: `words ${number}` },
    { subject: SPELLINGS[number % SPELLINGS.length]?.text ?? '' },
  ];
  const count = async (asked: readonly Asked[]) => {
    statements = 0;
    const answers = await lookUpMany(counting, asked, PUBLIC_URLS);
    expect(answers.map(({ subject }) => subject)).toEqual(asked.map(({ subject }) => subject));
    return statements;
  };

  const few = await count(kinds(0));
  const many = await count(Array.from({ length: 25 }, (_, number) => kinds(number)).flat());

  expect(few).toBeLessThanOrEqual(9);
  expect(many).toBeLessThanOrEqual(9);
});

it('is no read that a cache or a browser may keep', async () => {
  const request = { method: 'POST', url: '/api/subjects/lookup', payload: { subjects: [{ subject: 'a' }] } };
  const { headers } = await app.inject(request as { method: 'POST' });
  const again = await app.inject({
    ...(request as { method: 'POST' }),
    headers: { 'if-none-match': '*' },
  });

  expect(headers['cache-control']).toBe('no-store');
  expect(headers.etag).toBeUndefined();
  expect(again.statusCode).toBe(200);
});

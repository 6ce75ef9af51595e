import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { fewerUnlessNightly } from '../../../testing/nightly.ts';
import { REGISTRY, SPELLINGS } from '../../../testing/subjects/spellings.ts';
import { buildApp } from '../../app.ts';
import { loadConfig } from '../../platform/config/load-config.ts';
import { SUBJECT_TYPES } from '../../scoring/subject-type.ts';
import { createServices, type Services } from '../../services.ts';

const SITE = 'https://trust.example';
const ASKED = fewerUnlessNightly(500, 2_000);

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

/** Returns each table's number of rows and a digest of its row versions, to detect any write. */
async function stateOfTables(): Promise<unknown[]> {
  const tables = await work.database.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1",
  );
  const states = tables.map(
    ({ name }) => `SELECT '${name}' AS name, count(*) AS rows,
      md5(string_agg(ctid::text || ' ' || xmin::text || ' ' || xmax::text, ',' ORDER BY ctid)) AS versions FROM "${name}"`,
  );
  return work.database.query(`${states.join(' UNION ALL ')} ORDER BY name`);
}

const known = fc.constantFrom(...SPELLINGS).map(({ text }) => text.replace('{SITE}', SITE));
const texts = fc.oneof(
  known,
  fc.tuple(known, fc.nat(40), fc.string({ unit: 'grapheme', maxLength: 3 })).map(([text, at, put]) => {
    return text.slice(0, at) + put + text.slice(at);
  }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 600 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
);
const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const addresses = fc.oneof(
  fc
    .tuple(texts, fc.constantFrom('', ...SUBJECT_TYPES))
    .map(([text, type]) => `/api/subjects?subject=${encode(text)}${type && `&type=${type}`}`),
  fc.oneof(fc.uuid(), texts).map((id) => `/api/subjects/${encode(id)}`),
  fc
    .tuple(fc.constantFrom('a', 's', 'u', 'm', 'c', ''), fc.array(texts, { maxLength: 3 }))
    .map(([root, parts]) => `/${[root, ...parts.map(encode)].join('/')}`),
);

it('read requests of all kinds cause no error and change no row of any table', async () => {
  const before = await stateOfTables();
  const statuses = new Set<number>();

  // Requests every spelling unchanged first, so that each kind of response is tested regardless of chance.
  for (const { text } of SPELLINGS) {
    const subject = encode(text.replace('{SITE}', SITE));
    statuses.add((await app.inject(`/api/subjects?subject=${subject}`)).statusCode);
  }
  await fc.assert(
    fc.asyncProperty(fc.array(addresses, { minLength: 10, maxLength: 10 }), async (ten) => {
      const answers = await Promise.all(ten.map((url) => app.inject(url)));
      for (const { statusCode } of answers) statuses.add(statusCode);
      expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([]);
    }),
    { numRuns: ASKED / 10 },
  );

  for (const status of [200, 400, 404, 409]) expect(statuses).toContain(status);
  expect(await stateOfTables()).toEqual(before);
});

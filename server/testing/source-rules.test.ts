import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { breachesOfLayers, productFiles, SOURCE_ROOT } from './source-rules.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

describe('every product file of the server', () => {
  it('leaves statements and models to repositories, reads money and keys from the primary alone, and leaves no session a setting, names files from its room', () => {
    const paths = productFiles();

    const breaches = paths.flatMap((path) =>
      breachesOfLayers(path, readFileSync(join(SOURCE_ROOT, path), 'utf8')).map(
        (breach) => `${path}: ${breach}`,
      ),
    );

    expect(breaches).toEqual([]);
    expect(paths.length).toBeGreaterThan(500);
  });
});

/** Generated files, and migrations that are applied already. */
const NOT_WRITTEN_BY_HAND = /\/generated\/|^server\/(migrations\/|schema\.sql$)|^sdk\/compatibility\//;
const MAX_LINES = 400;

it('no file is longer than 400 lines, with the lines of long texts, which the linter leaves out', () => {
  const tracked = execFileSync(
    'git',
    ['ls-files', '--', '*.ts', '*.tsx', '*.mjs', '*.css', '*.sh', '*.sql'],
    {
      cwd: REPOSITORY,
      encoding: 'utf8',
    },
  );
  const files = tracked.split('\n').filter((file) => file !== '' && !NOT_WRITTEN_BY_HAND.test(file));

  const long = files.filter(
    (file) => readFileSync(join(REPOSITORY, file), 'utf8').trimEnd().split('\n').length > MAX_LINES,
  );

  expect(files.length).toBeGreaterThan(1000);
  expect(long).toEqual([]);
});

describe('the rules of layers', () => {
  it.each([
    ['billing/balance/a.ts', "await connection.query('SELECT 1 FROM account');"],
    ['billing/balance/a.ts', 'const SQL = `\nWITH b0 AS (SELECT 1) SELECT 2`;'],
    ['billing/balance/a.ts', 'const SQL = `UPDATE account a SET plan = $1`;'],
    ['billing/balance/a.ts', "'INSERT INTO account (id) VALUES ($1)'"],
    ['web/public/a.tsx', 'query(`$' + '{FRESH_PLAN} SELECT id FROM listing`)'],
    ['demo.ts', '"DELETE FROM account"'],
    ['billing/balance/a.ts', 'await connection.models.Account.update({}, {});'],
    ['billing/balance/a.sql.ts', 'await models.Account.findOne({ transaction });'],
    ['catalog/subjects/a.fragment.ts', 'connection.query(text)'],
    ['billing/receipts/a.handlers.ts', 'listReceipts(request.reads, account)'],
    ['web/console/keys/a.ts', 'async ({ reads, params }) => listKeys(reads)'],
    ['billing/ledger/a.ts', "import { readFromReplicas } from '../database/replicas/replicated-reads.ts';"],
    ['platform/database/a.ts', "client.query('SET lock_timeout = 0')"],
    ['platform/database/a.ts', 'client.query(`BEGIN; SET SESSION jit TO off`)'],
    ['platform/database/a.ts', "query(`SELECT set_config('jit', $1, false)`)"],
    ['platform/database/a.ts', "client.query('SELECT pg_advisory_lock($1)', [LOCK])"],
    ['platform/database/a.ts', "client.query('SELECT pg_try_advisory_lock(1)')"],
    ['platform/http/contract/a.ts', "new URL('../../../dist/a.json', import.meta.url)"],
    ['a.ts', "readFileSync(new URL('../sample/a', import.meta.url))"],
  ])('find the breach in %s: %s', (path, text) => {
    expect(breachesOfLayers(path, text)).toHaveLength(1);
  });

  it.each([
    ['billing/balance/a.queries.ts', "query('SELECT 1 FROM account'); models.Account.findOne({});"],
    ['billing/balance/a.sql.ts', 'export const SQL = `SELECT 1 FROM account`;'],
    ['platform/database/a.ts', "client.query('SELECT 1 AS one')"],
    ['web/console/a.tsx', "text('Select a key with the arrow keys')"],
    ['directory/a.handlers.ts', 'getAgent(request.reads, id)'],
    ['ownership/proofs/a.ts', "'Name a host that it reads, or ask its operator'"],
    ['billing/balance/a.ts', '// SELECT 1 FROM account'],
    ['billing/balance/a.ts', 'connection.query(STANDING, [accountId])'],
    ['catalog/subjects/a.fragment.ts', 'export const holds = (a: string) => `EXISTS (SELECT FROM creator)`;'],
    ['platform/database/a.ts', "client.query('SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(1)')"],
    ['platform/database/advisory-lock.ts', "client.query('SELECT pg_try_advisory_lock($1)', [lock])"],
    ['platform/package-files.ts', "new URL('../../dist/a.json', import.meta.url)"],
    ['web/public/badge/a.ts', "createRequire(import.meta.url).resolve('a'); new URL(path, base)"],
  ])('let pass %s: %s', (path, text) => {
    expect(breachesOfLayers(path, text)).toEqual([]);
  });
});

import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../database.ts';
import { USES } from './use-everything.ts';

/** Tables, sorted, of which a recording must contain writes. */
const TABLES = ['bucket_entry', 'credit_bucket', 'ended_run', 'registration_key', 'usage_run'];

it('what is recorded fills the tables of calls, charges and registrations', async () => {
  const test = await createTestDatabase();
  onTestFinished(() => test.close());

  await USES[0]?.(test);

  const filled = await test.database.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', name), true, true, '')))[1]::text <> '0'`,
    [TABLES],
  );
  expect(filled.map(({ name }) => name).sort()).toEqual(TABLES);
});

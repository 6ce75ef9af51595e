import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { itAtNight } from '../at-night.ts';
import { createTestDatabase } from '../database.ts';
import { sampleUnlessNightly } from '../nightly.ts';
import { readRecording, replayStatements, type SentStatement } from './replay-statements.ts';

const RELEASES = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.json.gz'));

/**
 * Replays recorded statements on today's schema and lists those with another outcome: a server of that release would fail, or
 * behave differently, next to one of today.
 */
async function differences(
  recorded: readonly SentStatement[],
  changes: readonly string[] = [],
): Promise<string[]> {
  const test = await createTestDatabase();
  onTestFinished(() => test.close());
  for (const change of changes) await test.database.query(change);
  const outcomes = await replayStatements(test.url, recorded);
  return recorded.flatMap(({ text, outcome }, n) =>
    outcome === null || outcome === outcomes[n]
      ? []
      : [`${outcomes[n]} instead of ${outcome}: ${text.trim()}`],
  );
}

const read = (file: string) => readRecording(readFileSync(new URL(file, import.meta.url)));

describe.each(RELEASES)('the statements of %s', (file) => {
  it('come to the same on the schema of today', async () => {
    // The first database has the statements of imports and pages, the second those of accounts and calls.
    const databases = sampleUnlessNightly(read(file), (_, place) => place === 1);
    for (const recorded of databases) expect(await differences(recorded)).toEqual([]);
  });
});

itAtNight('finds a column that is gone or must be filled, and a trigger that lets nothing in', async () => {
  const [directory = []] = read(RELEASES[0] ?? '');
  const found = await differences(directory, [
    'ALTER TABLE linked_account DROP COLUMN host_account_created_at CASCADE',
    'ALTER TABLE ended_run ADD COLUMN more int NOT NULL',
    "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    `CREATE TRIGGER nothing BEFORE INSERT ON bucket_entry FOR EACH ROW WHEN (NEW.kind = 'adjust') EXECUTE FUNCTION nothing()`,
  ]);

  expect(found.map((line) => line.split(':')[0])).toEqual(
    expect.arrayContaining(['42703 instead of 1', '23502 instead of 1', '0 instead of 1']),
  );
});

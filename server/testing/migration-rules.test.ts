import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { blockingIndexes } from './migration-rules.ts';

const FOLDER = new URL('../migrations/', import.meta.url);

it('no index on a table that may be large keeps others from writing while it is made', () => {
  const found = readdirSync(FOLDER).flatMap((file) =>
    blockingIndexes(file, readFileSync(new URL(file, FOLDER), 'utf8')),
  );

  expect(found).toEqual([]);
});

it.each([
  ['CREATE INDEX listing_by_age ON listing (age);', ['0076-x.sql: listing_by_age on listing']],
  ['CREATE UNIQUE INDEX one ON ended_run (a)\n;-- down\n', ['0076-x.sql: one on ended_run']],
  ['CREATE INDEX IF NOT EXISTS listing_by_age ON listing (age);', ['0076-x.sql: listing_by_age on listing']],
  ['CREATE INDEX CONCURRENTLY listing_by_age ON listing (age);', []],
  ['CREATE UNIQUE INDEX CONCURRENTLY one ON ended_run (a)\n;-- down\n', []],
  ['CREATE TABLE fresh (id int);\nCREATE INDEX fresh_by_id ON fresh (id);', []],
  ['DROP INDEX old;\n-- down\nCREATE INDEX old ON listing (age);', []],
])('of %j it finds %j', (text, found) => {
  expect(blockingIndexes('0076-x.sql', text)).toEqual(found);
});

import type { Database } from '../../src/database/connect.ts';
import { makeAccount } from '../factories.ts';

/** What stays behind where an owner's words stand on a listing, and where they stood once. */
export async function giveWords(database: Database): Promise<void> {
  const of = "FROM listing l, account a WHERE l.repository = 'acme/robot'";
  await makeAccount(database);
  await database.query(
    `INSERT INTO listing_registry_words (listing_id, kind, name, description, category, tags, source, claims_since)
     SELECT l.subject_id, l.type, 'Kept', '', l.category, l.tags, l.source, ledger_now() ${of}`,
  );
  await database.query(
    `INSERT INTO listing_former_words (listing_id, registered_by, name, description, category, tags)
     SELECT l.subject_id, a.id, 'Former', '', l.category, l.tags ${of}`,
  );
}

/** Every row of the registry, as it is stored. */
export async function everyRow(database: Database): Promise<Record<string, unknown>> {
  const tables = [
    'listing',
    'artifact',
    'relation',
    'subject_alias',
    'listing_rank',
    'listing_words',
    'listing_order',
    'listing_creator_history',
    'listing_registry_words',
    'listing_former_words',
  ];
  const rows: Record<string, unknown> = {};
  for (const table of tables) {
    const found = await database.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t ORDER BY 1`);
    rows[table] = found.map(({ row }) => row);
  }
  return rows;
}

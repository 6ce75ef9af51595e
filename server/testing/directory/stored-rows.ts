import type { Database } from '../../src/platform/database/connect.ts';
import { makeAccount } from '../factories.ts';

/**
 * Stores one row of each kind of replaced texts for the listing `acme/robot`: the texts before its owner's
 * (`listing_registry_words`), and the texts of an owner whose proof has ended (`listing_former_words`).
 */
export async function storeFormerWords(database: Database): Promise<void> {
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

/** Returns all stored rows of the registry. */
export async function allRows(database: Database): Promise<Record<string, unknown>> {
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

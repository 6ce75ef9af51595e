import { addListingCopies } from '../../catalog/listings/write-listings.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { ALL, equalsIgnoringCase } from '../../platform/database/models/table.ts';
import { type VerdictInput, verdictOf } from '../../scoring/verdict/verdict.ts';

/**
 * Tables whose rows are removed with a listing and restored with it. Each table comes after the tables to which its
 * foreign keys refer.
 */
export const TOMBSTONE_TABLES = [
  'listing',
  'artifact',
  'artifact_other_name',
  'observed_fact',
  'repository_refresh',
  'listing_creator_history',
  'listing_claim',
  'listing_registry_words',
  'listing_former_words',
  'relation',
] as const;

const NO_PARENT = `jsonb_build_object('parent_id', NULL, 'parent_relation', NULL, 'parent_stated', NULL,
  'parent_acknowledged_at', NULL)`;
const rowsOf = (table: string, condition: string, row = 'to_jsonb(t)') =>
  `coalesce((SELECT jsonb_agg(${row}) FROM ${table} t WHERE ${condition}), '[]')`;

// Stores no parents, because relisting chooses parents again. Stores the acknowledgements of the listing and of its
// children, because they are decisions of people.
const STORE_TOMBSTONE = `
INSERT INTO delisting (subject_id, agent_id, host, repository, host_repository_id, reason, kept)
SELECT l.subject_id, l.agent_id, l.host, l.repository, l.host_repository_id, $2, jsonb_build_object(
  'listing', jsonb_build_array(to_jsonb(l) || ${NO_PARENT}),
  'artifact', ${rowsOf('artifact', 't.listing_id = l.subject_id')},
  'artifact_other_name', ${rowsOf('artifact_other_name', 't.listing_id = l.subject_id')},
  'observed_fact', ${rowsOf('observed_fact', 't.subject_id = l.subject_id')},
  'repository_refresh', ${rowsOf(
    'repository_refresh',
    't.listing_id = l.subject_id',
    `to_jsonb(t) || '{"lease_id": null, "leased_until": null}'`,
  )},
  'listing_creator_history', ${rowsOf('listing_creator_history', 't.listing_id = l.subject_id')},
  'listing_claim', ${rowsOf('listing_claim', 't.listing_id = l.subject_id')},
  'listing_registry_words', ${rowsOf('listing_registry_words', 't.listing_id = l.subject_id')},
  'listing_former_words', ${rowsOf('listing_former_words', 't.listing_id = l.subject_id')},
  'relation', ${rowsOf('relation', 'l.subject_id IN (t.from_listing_id, t.to_listing_id)')},
  'acknowledged', ${rowsOf(
    'listing',
    't.parent_acknowledged_at IS NOT NULL AND l.subject_id IN (t.subject_id, t.parent_id)',
    `jsonb_build_object('child', t.subject_id, 'parent', t.parent_id, 'at', t.parent_acknowledged_at)`,
  )})
FROM listing l WHERE l.subject_id = $1 RETURNING id`;

/**
 * Stores a listing's rows as a tombstone, and moves the aliases of the listing and its artifacts to `delisted_name`.
 * Returns the delisting's id.
 */
export async function storeTombstone(
  connection: Connection,
  listingId: string,
  artifactIds: readonly string[],
  reason: string,
): Promise<number> {
  const [kept] = await connection.query<{ id: number }>(STORE_TOMBSTONE, [listingId, reason]);
  if (!kept) throw new Error('the listing was removed by a concurrent transaction');
  await connection.query(
    `WITH gone AS (DELETE FROM subject_alias WHERE subject_id = ANY ($2::uuid[])
       RETURNING label, subject_type, subject_id, kind)
     INSERT INTO delisted_name (label, subject_type, subject_id, kind, delisting_id)
     SELECT label, subject_type, subject_id, kind, $1 FROM gone`,
    [kept.id, [listingId, ...artifactIds]],
  );
  return kept.id;
}

/** Deletes a listing's relations. Returns the listings at their other ends. */
export async function deleteRelations(connection: Connection, listingId: string): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `WITH gone AS (DELETE FROM relation WHERE $1::uuid IN (from_listing_id, to_listing_id)
       RETURNING from_listing_id, to_listing_id)
     SELECT from_listing_id AS id FROM gone WHERE from_listing_id <> $1
     UNION SELECT to_listing_id FROM gone WHERE to_listing_id <> $1 ORDER BY 1`,
    [listingId],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the remaining rows of a listing. The caller has already chosen other parents for its children. */
export async function deleteListingRows(connection: Connection, listingId: string): Promise<void> {
  await connection.query(
    `DELETE FROM score_due WHERE subject_id = $1
       OR subject_id IN (SELECT subject_id FROM artifact WHERE listing_id = $1)`,
    [listingId],
  );
  for (const table of ['artifact', 'listing_creator_history']) {
    await connection.query(`DELETE FROM ${table} WHERE listing_id = $1`, [listingId]);
  }
  await connection.query('DELETE FROM listing WHERE subject_id = $1', [listingId]);
}

/**
 * Restores the stored rows and aliases. Skips columns that the tables no longer have. If the listing at the other end
 * of a relation no longer exists, that end stays empty. A relation that a source has stated again since the delisting
 * stays unchanged.
 */
export async function restoreTombstone(connection: Connection, delistingId: number): Promise<void> {
  await updateReferences(connection, delistingId);
  for (const table of TOMBSTONE_TABLES) {
    const columns = await columnsOf(connection, table, delistingId);
    if (columns === '') continue;
    await connection.query(
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table},
         (SELECT kept -> '${table}' FROM delisting WHERE id = $1))
       ${table === 'relation' ? 'ON CONFLICT DO NOTHING' : ''}`,
      [delistingId],
    );
    if (table === 'listing') await restoreDerivedRows(connection, delistingId);
  }
  await connection.query(
    `WITH back AS (DELETE FROM delisted_name WHERE delisting_id = $1 RETURNING label, kind, subject_id, subject_type)
     INSERT INTO subject_alias (label, kind, subject_id, subject_type)
     SELECT label, kind, subject_id, subject_type FROM back ON CONFLICT DO NOTHING`,
    [delistingId],
  );
}

/** Returns the columns that the stored rows have and the table still has. Empty if there are no rows. */
async function columnsOf(connection: Connection, table: string, delistingId: number): Promise<string> {
  const columns = await connection.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute, delisting d
     WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND d.id = $2
       AND jsonb_exists(d.kept -> $1::text -> 0, attname) ORDER BY attnum`,
    [table, delistingId],
  );
  return columns.map(({ name }) => name).join(', ');
}

/**
 * Updates references in the stored rows. If the listing's creator was merged into another one since the delisting, the
 * rows refer to that other creator. If the listing at an end of a relation no longer exists, this end becomes null.
 */
async function updateReferences(connection: Connection, delistingId: number): Promise<void> {
  await connection.query(
    `WITH RECURSIVE chain (id) AS (
       SELECT (kept -> 'listing' -> 0 ->> 'creator_id')::uuid FROM delisting WHERE id = $1
       UNION SELECT c.merged_into FROM chain JOIN creator c ON c.subject_id = chain.id WHERE c.merged_into IS NOT NULL)
     UPDATE delisting d SET kept = d.kept || jsonb_build_object(
       'listing', jsonb_build_array(d.kept -> 'listing' -> 0 || jsonb_build_object('creator_id', (
         SELECT chain.id FROM chain JOIN creator c ON c.subject_id = chain.id WHERE c.merged_into IS NULL))),
       'relation', coalesce((SELECT jsonb_agg(r.value || jsonb_build_object(
           'from_listing_id', (SELECT subject_id FROM listing WHERE subject_id = (r.value ->> 'from_listing_id')::uuid
             UNION ALL SELECT d.subject_id WHERE d.subject_id::text = r.value ->> 'from_listing_id'),
           'to_listing_id', (SELECT subject_id FROM listing WHERE subject_id = (r.value ->> 'to_listing_id')::uuid
             UNION ALL SELECT d.subject_id WHERE d.subject_id::text = r.value ->> 'to_listing_id')))
         FROM jsonb_array_elements(d.kept -> 'relation') r), '[]'))
     WHERE d.id = $1`,
    [delistingId],
  );
}

/**
 * Inserts the rows for ranking, sorting and search that are derived from the listing. The ranking row gets the current
 * score, which may be newer than the delisting. The search row has filter terms only; the caller adds its words.
 */
async function restoreDerivedRows(connection: Connection, delistingId: number): Promise<void> {
  const [{ id = '' } = {}] = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM delisting WHERE id = $1',
    [delistingId],
  );
  await addListingCopies(connection, [{ subject_id: id, words: [] }]);
  const current = `FROM delisting d JOIN subject s ON s.id = d.subject_id
     JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE d.id = $1`;
  const [judged] = await connection.query<VerdictInput>(
    `SELECT v.confidence, v.contributions, v.caps, v.inputs -> 'facts' AS facts, v.inputs ->> 'now' AS "factsAt" ${current}`,
    [delistingId],
  );
  if (judged) {
    const { state, reasons } = verdictOf(judged);
    await connection.query(
      `UPDATE listing_rank k SET trust = v.trust, confidence = v.confidence, tier = v.tier, score_version = v.version,
         verdict = $2, reasons = $3 ${current} AND k.subject_id = d.subject_id`,
      [delistingId, state, reasons],
    );
  }
}

/** Restores acknowledgements of the listing and its children, where the same parent as before was chosen again. */
export async function restoreAcknowledgements(connection: Connection, delistingId: number): Promise<void> {
  await connection.query(
    `UPDATE listing l SET parent_acknowledged_at = a.at
     FROM delisting d, jsonb_to_recordset(d.kept -> 'acknowledged') AS a(child uuid, parent uuid, at timestamptz)
     WHERE d.id = $1 AND l.subject_id = a.child AND l.parent_id = a.parent AND l.parent_acknowledged_at IS NULL`,
    [delistingId],
  );
}

/** Returns the `AGT-` id of the listing that has this repository name now, ignoring case. Null if none. */
export async function findListingNamed(
  { models, transaction }: Connection,
  { host, repository }: { host: string; repository: string },
): Promise<string | null> {
  const listing = await models.Listing.findOne<{ agentId: string }>({
    attributes: ['agentId'],
    where: { [ALL]: [equalsIgnoringCase('host', host), equalsIgnoringCase('repository', repository)] },
    raw: true,
    transaction,
  });
  return listing?.agentId ?? null;
}

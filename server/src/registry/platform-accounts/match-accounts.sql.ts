// A stored account beside the row `r`.
const COLUMNS = (table: string) => `json_build_object('id', ${table}.subject_id, 'type', ${table}.type,
  'handle', ${table}.handle, 'platformAccountId', ${table}.platform_account_id, 'formerHandles', ${table}.former_handles,
  'unchanged', ${table}.imported IS NOT DISTINCT FROM r.imported AND ${table}.owner_id IS NOT DISTINCT FROM r.owner_id)`;

/** A whole batch is matched, by the platform’s id and by handle, in one reading. */
export const MATCH = `
SELECT CASE WHEN i.subject_id IS NOT NULL THEN ${COLUMNS('i')} END AS "byId",
  CASE WHEN n.subject_id IS NOT NULL THEN ${COLUMNS('n')} END AS "byName"
FROM jsonb_to_recordset($1::jsonb) AS r(position int, type text, platform text, handle text, platform_account_id text,
  owner_id uuid, imported jsonb)
LEFT JOIN platform_account i ON i.platform = r.platform AND i.platform_account_id = r.platform_account_id
LEFT JOIN platform_account n ON n.type = r.type AND n.platform = r.platform AND lower(n.handle) = lower(r.handle)
ORDER BY r.position`;

/** A creator's own name, those of the creators merged into it, and the handle of its account. */
export const NAMES = `
SELECT coalesce(c.merged_into, c.subject_id) AS "bearerId", c.subject_id AS id, c.host, c.handle,
  c.display_name AS "displayName"
FROM creator c WHERE c.subject_id = ANY ($1::uuid[]) OR c.merged_into = ANY ($1::uuid[])
UNION ALL
SELECT c.subject_id, c.subject_id, $2, a.handle, NULL FROM creator c JOIN account a ON a.id = c.account_id
WHERE c.subject_id = ANY ($1::uuid[]) AND a.handle IS NOT NULL`;

/** Names that these creators had before. Arrays, so that one kept statement takes any number of creators. */
export const FORMER_NAMES = `SELECT subject_id AS "bearerId", label, kind FROM subject_alias
  WHERE subject_id = ANY ($1::uuid[]) AND kind = 'former'`;

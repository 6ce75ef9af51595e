import type { Connection } from '../database/connect.ts';
import { NOW } from '../database/models/expressions.ts';

/** Gives a creator its new handle; what people call it changes with it where that was the handle. */
export async function renameBearer(connection: Connection, creatorId: string, handle: string): Promise<void> {
  await connection.query(
    `UPDATE subject s SET name = $2 FROM creator c
     WHERE s.id = $1 AND c.subject_id = s.id AND c.display_name IS NULL AND c.merged_into IS NULL`,
    [creatorId, handle],
  );
  const { models, transaction } = connection;
  await models.Creator.update({ handle, updatedAt: NOW }, { where: { subjectId: creatorId }, transaction });
}

/**
 * Puts the owner's new handle into the names of a creator's repositories, except those that another account of the host is
 * known to own; one whose new name is listed already keeps its old one. Answers the renamed listings with their names before. The caller has locked their subjects.
 */
export function renameListings(
  connection: Connection,
  creatorId: string,
  { host, hostAccountId, from, to }: { host: string; hostAccountId: string; from: string; to: string },
): Promise<{ id: string; before: string }[]> {
  return connection.query(
    `WITH renamed AS MATERIALIZED (
       SELECT l.subject_id, l.repository AS before, $4 || '/' || split_part(l.repository, '/', 2) AS repository
       FROM listing l WHERE l.creator_id = $1 AND l.host = $2 AND lower(split_part(l.repository, '/', 1)) = lower($3)
         AND (l.host_owner_id IS NULL OR l.host_owner_id = $5))
     UPDATE listing l SET repository = r.repository, updated_at = ledger_now(),
       repository_url = 'https://' || l.host || '/' || r.repository
     FROM renamed r WHERE l.subject_id = r.subject_id AND NOT EXISTS (SELECT FROM listing o
       WHERE lower(o.host) = lower(l.host) AND lower(o.repository) = lower(r.repository))
     RETURNING l.subject_id AS id, r.before`,
    [creatorId, host, from, to, hostAccountId],
  );
}

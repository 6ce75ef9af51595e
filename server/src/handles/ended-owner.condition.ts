/**
 * SQL: true of a listing `l` on the host `$2` that an account (`$1`) had as the owner under the handle `$3` with the host's
 * id `$4`. The id decides; by the name go those that no other proof of the account says are its own.
 */
export const HAD_AS_OWNER = `(l.host_owner_id = $4 OR (lower(split_part(l.repository, '/', 1)) = lower($3)
  AND NOT EXISTS (SELECT FROM proved_account p WHERE p.account_id = $1 AND p.kind = 'repo_host' AND p.host = $2
    AND p.host_account_id = l.host_owner_id)))`;

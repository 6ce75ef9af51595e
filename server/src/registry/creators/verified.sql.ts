// True of a creator `c` whose account has a proof that counts.
const HAS_PROOF = 'EXISTS (SELECT FROM proved_account p WHERE p.account_id = c.account_id)';

// The proved id is the owner's id of the last reading. Where the host tells no ids, the operator has decided by handle. A mark
// that a former release set by name stays until the first reading, and none is set by name. Of a listing that lost its name
// to another repository, and is listed as `owner/name~<id>`, nobody knows the owner.
const OWNER_PROVED = `EXISTS (SELECT FROM creator c JOIN proved_account p ON p.account_id = c.account_id
  WHERE c.subject_id = l.creator_id AND p.kind = 'repo_host' AND p.host = lower(l.host) AND l.identity_doubt IS NULL
  AND (l.host_owner_id = coalesce(p.host_account_id, 'handle:' || lower(p.handle))
    OR (l.host_owner_id IS NULL AND l.verified AND lower(p.handle) = lower(split_part(l.repository, '/', 1))
      AND strpos(split_part(l.repository, '/', 2), '~') = 0)))`;

/** Marks are compared and written in one statement, so that only a mark that was wrong is touched. */
/** The same for single listings. */
export const MARK_LISTINGS_OF = `UPDATE listing l SET verified = NOT verified, updated_at = ledger_now()
  WHERE l.creator_id = ANY ($1::uuid[]) AND l.verified <> ${OWNER_PROVED}`;

/** The same for creators. */
export const MARK_CREATORS = `UPDATE creator c SET verified = NOT verified, updated_at = ledger_now()
  WHERE c.subject_id = ANY ($1::uuid[]) AND c.verified <> ${HAS_PROOF}`;

/** The same for single listings. */
export const MARK_LISTINGS = `UPDATE listing l SET verified = NOT verified
  WHERE l.subject_id = ANY ($1::uuid[]) AND l.verified <> ${OWNER_PROVED}`;

/** An array: one kept statement for any number of accounts. */
export const CREATORS_OF_ACCOUNTS =
  'SELECT subject_id AS id FROM creator WHERE account_id = ANY ($1::uuid[]) ORDER BY 1';

/** Creators, their listings, what is inside those, and the platform accounts that their accounts have linked: one reading. */
export const PROVED_BY = `SELECT subject_id AS id FROM creator WHERE subject_id = ANY ($1::uuid[]) AND merged_into IS NULL
  UNION SELECT subject_id FROM listing WHERE creator_id = ANY ($1::uuid[])
  UNION SELECT a.subject_id FROM artifact a JOIN listing l ON l.subject_id = a.listing_id
    WHERE l.creator_id = ANY ($1::uuid[])
  UNION SELECT k.subject_id FROM linked_account k JOIN creator c ON c.account_id = k.account_id
    WHERE c.subject_id = ANY ($1::uuid[]) AND k.subject_id IS NOT NULL
  ORDER BY 1`;

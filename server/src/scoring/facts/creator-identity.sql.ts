import { hasRegistryNamespace } from './registry-namespace.condition.ts';

/**
 * What is known of a creator's identity (`c`), for a score of theirs or of their work: columns of `CreatorIdentity`.
 * Proofs count as the view `proved_account` says, through the creator's account here.
 */
export const CREATOR_IDENTITY_COLUMNS = `
  c.account_id IS NOT NULL AS "hasAccount", coalesce(proof.kinds, '{}') AS "provedKinds",
  utc_text(proof.checked_at) AS "provedAt", utc_text(host_account.created_at) AS "hostAccountCreatedAt",
  utc_text(host_account.checked_at) AS "hostAccountCheckedAt",
  ${hasRegistryNamespace('c')} AS "hasRegistryNamespace",
  c.imported ->> 'accountCreatedAt' AS "importedAccountCreatedAt", utc_text(c.updated_at) AS "creatorConfirmedAt"`;

/** The tables behind them, to stand after `creator c`. */
export const CREATOR_IDENTITY_JOINS = `
  LEFT JOIN LATERAL (SELECT array_agg(DISTINCT p.kind) AS kinds, min(p.checked_at) AS checked_at
    FROM proved_account p WHERE p.account_id = c.account_id) proof ON c.account_id IS NOT NULL
  LEFT JOIN LATERAL (SELECT p.host_account_created_at AS created_at, p.checked_at FROM proved_account p
    WHERE p.account_id = c.account_id AND p.kind = 'repo_host' AND p.host_account_created_at IS NOT NULL
    ORDER BY 1 LIMIT 1) host_account ON c.account_id IS NOT NULL`;

/**
 * The buckets of the items `c`, locked in the order of the house (account, prio, valid_to, id), so that two batches never
 * wait for each other in a circle. `used_before` is read from the locked row, so no later charge is missing in it.
 */
export const LOCKED_BUCKETS = `SELECT b.account_id, b.id, b.used AS used_before FROM credit_bucket b
  JOIN (SELECT DISTINCT account_id, bucket_id FROM c) asked ON asked.account_id = b.account_id AND asked.bucket_id = b.id
  ORDER BY b.account_id, b.prio, b.valid_to, b.id FOR NO KEY UPDATE OF b`;

-- A bucket has one carry, by which its archived entries are found.
CREATE UNIQUE INDEX CONCURRENTLY bucket_entry_carry ON bucket_entry (account_id, bucket_id) WHERE kind = 'carry';

-- down
DROP INDEX bucket_entry_carry;

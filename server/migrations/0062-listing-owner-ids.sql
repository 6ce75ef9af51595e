-- Ids that a host never gives to another account or repository decide whose a listing is: names can be freed and taken again.
-- The owner's id of the last reading of the listing's repository; null where it is not known.
ALTER TABLE listing ADD COLUMN host_owner_id text;
-- Why it cannot be told whether the repository that was read is the one that was listed; null where nothing speaks against it.
ALTER TABLE listing ADD COLUMN identity_doubt text;
-- Proofs that gave listings by name alone: the listings' owners are read at the next check, which is due at once.
UPDATE linked_account SET check_due_at = ledger_now()
WHERE kind = 'repo_host' AND proved_at IS NOT NULL AND removed_at IS NULL;

-- down
ALTER TABLE listing DROP COLUMN identity_doubt;
ALTER TABLE listing DROP COLUMN host_owner_id;

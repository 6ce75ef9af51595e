-- What an account owns on its host, by the account's id.
CREATE INDEX CONCURRENTLY listing_host_owner ON listing (host, host_owner_id) WHERE host_owner_id IS NOT NULL;

-- down
DROP INDEX listing_host_owner;

-- Whose repositories are listed: asked whenever somebody wants a handle, and when an account takes its listings over.
CREATE INDEX listing_owner ON listing (lower(split_part(repository, '/', 1)));

-- down
DROP INDEX listing_owner;

-- Stores the domain whose DNS record proved an organisation's account, so that what it publishes there can be read.
ALTER TABLE linked_account ADD COLUMN domain text;

-- down
ALTER TABLE linked_account DROP COLUMN domain;

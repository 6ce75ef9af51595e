-- Where a proof's code stood at the last good check. Null: proved without a code, or before this was noted. An
-- organisation's proof of such a time may rest on a file, which any member can write.
ALTER TABLE linked_account ADD COLUMN code_place text
  CHECK (code_place IN ('profile', 'repository', 'package', 'domain'));

-- down
ALTER TABLE linked_account DROP COLUMN code_place;

-- Where a proof's code was found: `dns_record` is a TXT record of a domain that an organisation's profile names. `domain` stays
-- for the release before, and for its proofs: a file of the website may have made those.
ALTER TABLE linked_account DROP CONSTRAINT linked_account_code_place_check,
  ADD CONSTRAINT linked_account_code_place_check
  CHECK (code_place IN ('profile', 'repository', 'package', 'domain', 'dns_record'));

-- down
UPDATE linked_account SET code_place = 'domain' WHERE code_place = 'dns_record';
ALTER TABLE linked_account DROP CONSTRAINT linked_account_code_place_check,
  ADD CONSTRAINT linked_account_code_place_check
  CHECK (code_place IN ('profile', 'repository', 'package', 'domain'));

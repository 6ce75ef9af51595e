-- The registrations that were sent with an idempotency key, so that one that is sent again answers as it did. Refused ones leave
-- no row. The listing may be taken out of the directory, and the answer stays what it was: nothing here refers to its row.
CREATE TABLE registration_key (
  account_id uuid NOT NULL REFERENCES account,
  idempotency_key text NOT NULL,
  -- SHA-256 of what was sent, the key apart.
  fingerprint bytea NOT NULL,
  listing_id uuid NOT NULL,
  listing_type text NOT NULL,
  agent_id text NOT NULL,
  -- Where its page was: told again where the listing is no longer here.
  public_path text NOT NULL,
  -- False where the listing was there before, and passed to its proved owner.
  is_new boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (account_id, idempotency_key)
);

-- down
DROP TABLE registration_key;

-- An account that a first sign-in made has no creator handle until its owner chooses one.
ALTER TABLE account ALTER COLUMN handle DROP NOT NULL;

-- Who at an identity provider is let in to which account: the provider by its issuer, the person by the subject that the
-- provider gives to nobody else, ever (never a name or an address, which pass on to others).
CREATE TABLE sign_in_identity (
  issuer text NOT NULL CHECK (length(issuer) BETWEEN 1 AND 500),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  account_id uuid NOT NULL REFERENCES account,
  created_by text NOT NULL CHECK (created_by IN ('operator', 'sign_up')),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX sign_in_identity_account ON sign_in_identity (account_id);

-- A sign-in that a browser has begun at an identity provider, for ten minutes. The browser holds the token, here is its
-- hash; the row goes when the person comes back, so that nobody comes back twice.
CREATE TABLE sign_in_attempt (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  provider text NOT NULL CHECK (provider IN ('oidc', 'github')),
  -- Where the person wanted to go: a path of our own.
  next_path text NOT NULL CHECK (next_path ~ '^/' AND length(next_path) <= 2000),
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_attempt_expires ON sign_in_attempt (expires_at);

-- down
DROP TABLE sign_in_attempt;
DROP TABLE sign_in_identity;
UPDATE account SET handle = 'unnamed-' || id WHERE handle IS NULL;
ALTER TABLE account ALTER COLUMN handle SET NOT NULL;

CREATE TABLE account (
  id uuid PRIMARY KEY,
  handle text NOT NULL CHECK (handle ~ '^[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$'),
  plan text NOT NULL,
  overage_enabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT ledger_now()
);
CREATE UNIQUE INDEX account_handle ON account (lower(handle));

-- A session is ended, never deleted: keys and runs point at it.
CREATE TABLE session (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  opened_by text NOT NULL CHECK (opened_by IN ('operator', 'sign_in')),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  last_seen_at timestamptz NOT NULL DEFAULT ledger_now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX session_account ON session (account_id);

CREATE TABLE access_key (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  session_id uuid NOT NULL REFERENCES session,
  key_hash bytea NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
  last_four text NOT NULL CHECK (length(last_four) = 4),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  scopes text[] NOT NULL CHECK (scopes <@ ARRAY['scores:read', 'lineage:read', 'agents:register'] AND cardinality(scopes) > 0),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  expires_at timestamptz,
  paused_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX access_key_account ON access_key (account_id);

-- down
DROP TABLE access_key;
DROP TABLE session;
DROP TABLE account;

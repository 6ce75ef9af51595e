-- A listing that an account has claimed by proving its owner's handle, and that the host's ids have not given to it: it waits for
-- a reading or for the operator. A decided claim stays, so that the operator's refusal holds for that account elsewhere.
CREATE TABLE listing_claim (
  id uuid PRIMARY KEY,
  listing_id uuid NOT NULL REFERENCES listing ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES account,
  host text NOT NULL,
  handle text NOT NULL,
  -- The host's own id of the account that was proved; null where nobody knows it.
  host_account_id text,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  decided_at timestamptz,
  decision text CHECK (decision IN ('given', 'refused')),
  decided_by text CHECK (decided_by IN ('reading', 'operator')),
  CHECK ((decided_at IS NULL) = (decision IS NULL)),
  CHECK ((decided_at IS NULL) = (decided_by IS NULL))
);
CREATE UNIQUE INDEX listing_claim_open ON listing_claim (listing_id, account_id) WHERE decided_at IS NULL;
CREATE INDEX listing_claim_account ON listing_claim (account_id);
CREATE INDEX listing_claim_refused ON listing_claim (listing_id, account_id) WHERE decision = 'refused';

-- down
DROP TABLE listing_claim;

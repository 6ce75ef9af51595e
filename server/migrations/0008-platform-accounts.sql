-- One row per social or messaging account: what its platform shows of it, as a source read it. A null fact is missing.
CREATE TABLE platform_account (
  subject_id uuid PRIMARY KEY,
  registry_row_id uuid NOT NULL UNIQUE,
  type text NOT NULL CHECK (type IN ('social_account', 'messaging_account')),
  kind text NOT NULL CHECK (kind IN ('account', 'channel', 'bot')),
  -- A short name where the platform is well known (x, telegram), else its host (mastodon.social); lower case.
  platform text NOT NULL CHECK (platform = lower(platform)),
  handle text NOT NULL,
  name text,
  url text,
  -- Handles it had before, on the same platform; stated by a source or seen by the platform's own id.
  former_handles text[] NOT NULL DEFAULT '{}',
  -- Whom a source names as its owner, and that creator where it is known here. A statement, no proof.
  owner_handle text,
  owner_id uuid REFERENCES creator,
  -- The platform's own id: it stays when the handle changes.
  platform_account_id text,
  account_created_at timestamptz,
  verified_mark boolean,
  audience bigint CHECK (audience >= 0),
  -- The audience's growth in its strongest known day, as a ratio: 0.5 is half as many again.
  audience_day_growth double precision,
  -- Social: median reactions per post / followers. Messaging: median views / members.
  engagement double precision CHECK (engagement >= 0),
  last_post_at timestamptz,
  cross_link text CHECK (cross_link IN ('both', 'one', 'none')),
  scam_flag boolean,
  observed_at timestamptz,
  source text NOT NULL,
  imported jsonb,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  updated_at timestamptz NOT NULL DEFAULT ledger_now(),
  FOREIGN KEY (subject_id, type) REFERENCES subject (id, type)
);
CREATE UNIQUE INDEX platform_account_handle ON platform_account (type, platform, lower(handle));
CREATE UNIQUE INDEX platform_account_platform_id ON platform_account (platform, platform_account_id);
CREATE INDEX platform_account_owner ON platform_account (owner_id) WHERE owner_id IS NOT NULL;

-- down
DROP TABLE platform_account;

-- What the registry says of a listing that bears its proved owner's words, or those of another who registered it: what an
-- import states, or what somebody registered before the owner. It comes back where the owner's proof ends.
CREATE TABLE listing_registry_words (
  listing_id uuid PRIMARY KEY REFERENCES listing ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  category text NOT NULL,
  tags text[] NOT NULL,
  source text NOT NULL,
  -- Who had registered it, and the creator that it then had; null where an import states it.
  registered_by uuid REFERENCES account,
  creator_id uuid REFERENCES creator,
  -- Parents that were claimed at registration since then are claims of whoever wrote the present words.
  claims_since timestamptz NOT NULL,
  CHECK ((registered_by IS NULL) = (creator_id IS NULL))
);

-- Until now they were kept only in the rows as imported.
INSERT INTO listing_registry_words (listing_id, kind, name, description, category, tags, source, claims_since)
SELECT subject_id, imported ->> 'kind', imported ->> 'name', coalesce(imported ->> 'description', ''),
  imported ->> 'category', ARRAY(SELECT jsonb_array_elements_text(
    CASE jsonb_typeof(imported -> 'tags') WHEN 'array' THEN imported -> 'tags' ELSE '[]' END)),
  CASE WHEN source = 'registration' THEN coalesce(imported #>> '{sources,0}', source) ELSE source END, '-infinity'
FROM listing WHERE registered_by IS NOT NULL AND imported ->> 'kind' IS NOT NULL AND imported ->> 'name' IS NOT NULL
  AND imported ->> 'category' IS NOT NULL;

-- What an owner said of a listing until their proof ended.
CREATE TABLE listing_former_words (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  listing_id uuid NOT NULL REFERENCES listing ON DELETE CASCADE,
  registered_by uuid NOT NULL REFERENCES account,
  name text NOT NULL,
  description text NOT NULL,
  category text NOT NULL,
  tags text[] NOT NULL,
  until timestamptz NOT NULL DEFAULT ledger_now()
);
CREATE INDEX listing_former_words_listing ON listing_former_words (listing_id);

-- down
DROP TABLE listing_former_words;
DROP TABLE listing_registry_words;

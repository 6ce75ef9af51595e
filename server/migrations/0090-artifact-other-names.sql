-- Stores further names of artifacts. Lists name one path of a repository differently; these statements are about one
-- artifact, whose own row has the name that fits best.
CREATE TABLE artifact_other_name (
  listing_id uuid NOT NULL,
  name text NOT NULL,
  subject_id uuid NOT NULL,
  imported jsonb NOT NULL,
  CONSTRAINT artifact_other_name_pkey PRIMARY KEY (listing_id, name),
  CONSTRAINT artifact_other_name_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES artifact (subject_id) ON DELETE CASCADE
);
CREATE INDEX artifact_other_name_subject ON artifact_other_name (subject_id);

-- down
DROP TABLE artifact_other_name;

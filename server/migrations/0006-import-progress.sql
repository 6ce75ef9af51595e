-- How far an interrupted import of one set of files has come. The row goes when the import is complete.
CREATE TABLE import_progress (
  -- SHA-256 over the contents of the files, whatever their names and order.
  files_hash text PRIMARY KEY,
  -- Counted up by every batch: two imports of the same files can't both go on from here.
  step bigint NOT NULL,
  stage text NOT NULL,
  -- Which of the files, in the order of their hashes, and where in it.
  file_index integer NOT NULL,
  line bigint NOT NULL,
  byte_offset bigint NOT NULL,
  counts jsonb NOT NULL,
  rejects_path text NOT NULL,
  rejects_bytes bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT ledger_now()
);

-- Subjects whose facts have changed since their last score. `own`: their own facts, not only those of their parent.
CREATE TABLE score_due (
  subject_id uuid PRIMARY KEY REFERENCES subject,
  own boolean NOT NULL
);

-- Who else names a package: its name leads to a subject, and its downloads speak, only where one listing names it.
CREATE INDEX listing_npm_package ON listing (npm_package) WHERE npm_package IS NOT NULL;
CREATE INDEX listing_pypi_package ON listing (lower(regexp_replace(pypi_package, '[-_.]+', '-', 'g')))
  WHERE pypi_package IS NOT NULL;
CREATE INDEX artifact_npm_package ON artifact (npm_package) WHERE npm_package IS NOT NULL;
CREATE INDEX artifact_pypi_package ON artifact (lower(regexp_replace(pypi_package, '[-_.]+', '-', 'g')))
  WHERE pypi_package IS NOT NULL;

-- down
DROP INDEX artifact_pypi_package;
DROP INDEX artifact_npm_package;
DROP INDEX listing_pypi_package;
DROP INDEX listing_npm_package;
DROP TABLE score_due;
DROP TABLE import_progress;

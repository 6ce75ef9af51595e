-- Names that begin with a text, those that are the text first and the popular first among them, as an index has them: in no
-- more rows than are looked at, however many have one name. It takes the place of the one behind the primary key, whose
-- columns change places, so that it serves as the one by subject too.
ALTER TABLE listed_name DROP CONSTRAINT listed_name_pkey;
DROP INDEX listed_name_subject;
ALTER TABLE listed_name ADD PRIMARY KEY (subject_id, of, key);
CREATE INDEX listed_name_near ON listed_name (of, key, weight DESC, subject_id);

-- down
DROP INDEX listed_name_near;
ALTER TABLE listed_name DROP CONSTRAINT listed_name_pkey;
ALTER TABLE listed_name ADD PRIMARY KEY (of, key, subject_id);
CREATE INDEX listed_name_subject ON listed_name (subject_id);

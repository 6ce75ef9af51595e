-- Labels are told apart without case, and the small sigma at the end of a word is the letter that it is elsewhere: names
-- that differ in it alone are one name.
INSERT INTO subject_alias (label, subject_type, subject_id, kind)
SELECT replace(label, 'ς', 'σ'), subject_type, subject_id, kind FROM subject_alias WHERE label LIKE '%ς%'
ON CONFLICT DO NOTHING;
DELETE FROM subject_alias WHERE label LIKE '%ς%';

-- down
-- Which labels ended in it is not kept; the next import of a name writes its labels anew.
SELECT 1;

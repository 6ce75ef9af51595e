-- A listing's row may state the newest name of what is very likely the same repository. It is kept as a relation from now
-- on; rows that were imported before state it too.
INSERT INTO relation (type, from_repository, to_repository, from_listing_id, to_listing_id, directed, stated, source)
SELECT 'probable_rename_to', l.repository, n.name, l.subject_id, now.subject_id, true, false, l.source
FROM listing l CROSS JOIN LATERAL (SELECT l.imported ->> 'probablyRenamedTo' AS name) n
LEFT JOIN listing now ON lower(now.host) = lower(l.host) AND lower(now.repository) = lower(n.name)
WHERE n.name ~ '^~?[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}$' AND lower(n.name) <> lower(l.repository)
ON CONFLICT DO NOTHING;

-- down
DELETE FROM relation WHERE type = 'probable_rename_to' AND imported IS NULL;

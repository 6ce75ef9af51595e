-- A listing that an account has only registered counts for no creator, and its registrant can't acknowledge children. Scores
-- that rest on such a listing are noted as due: its creator's, those of its children, and of the same creator's listings that
-- derive from others.
INSERT INTO score_due AS d (subject_id, own)
SELECT l.creator_id, false FROM listing l WHERE l.registered_by IS NOT NULL AND NOT l.verified
UNION SELECT child.subject_id, false FROM listing child JOIN listing parent ON parent.subject_id = child.parent_id
  WHERE (child.registered_by IS NOT NULL AND NOT child.verified) OR NOT parent.verified
    AND (parent.registered_by IS NOT NULL OR child.parent_acknowledged_at IS NOT NULL)
ORDER BY 1
ON CONFLICT (subject_id) DO UPDATE
SET noted_at = greatest(ledger_now(), d.noted_at + interval '1 microsecond');

-- down
SELECT 1;

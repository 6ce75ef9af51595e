-- Finds the listings with a verdict, best score first, and counts them.
CREATE INDEX CONCURRENTLY listing_rank_verdict ON listing_rank (verdict, trust DESC NULLS LAST, confidence DESC NULLS LAST,
  agent_id);

-- down
DROP INDEX listing_rank_verdict;

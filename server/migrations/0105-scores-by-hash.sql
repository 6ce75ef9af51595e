-- An import forces its statements to use indexes, which the rows of a trigger do not have: each row of a batch of scores was compared
-- with each other one. The function may join them by hash.
ALTER FUNCTION record_scores() SET enable_hashjoin = on;

-- down
ALTER FUNCTION record_scores() RESET enable_hashjoin;

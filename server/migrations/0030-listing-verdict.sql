-- A score in words stands beside its figures: its state, and the codes that its sentence is made of. It is made where the
-- score is. Rows from before stay without one until their next score, and are judged by the evidence when they are read.
ALTER TABLE listing_rank ADD COLUMN verdict text, ADD COLUMN reasons text[],
  ADD CHECK (verdict IN ('verified', 'well_evidenced', 'little_evidence', 'warning')),
  ADD CHECK ((verdict IS NULL) = (reasons IS NULL)),
  ADD CHECK (verdict IS NULL OR trust IS NOT NULL);

-- The same figures can come with another verdict: a limit above them lowers nothing and is still worth a warning.
DROP TRIGGER announce_ranked ON listing_rank;
CREATE TRIGGER announce_ranked AFTER UPDATE OF trust, confidence, tier, verdict, reasons ON listing_rank FOR EACH ROW
  WHEN ((OLD.trust, OLD.confidence, OLD.tier, OLD.verdict, OLD.reasons)
    IS DISTINCT FROM (NEW.trust, NEW.confidence, NEW.tier, NEW.verdict, NEW.reasons))
  EXECUTE FUNCTION announce_ranking();

-- down
DROP TRIGGER announce_ranked ON listing_rank;
ALTER TABLE listing_rank DROP COLUMN verdict, DROP COLUMN reasons;
CREATE TRIGGER announce_ranked AFTER UPDATE OF trust, confidence, tier ON listing_rank FOR EACH ROW
  WHEN ((OLD.trust, OLD.confidence, OLD.tier) IS DISTINCT FROM (NEW.trust, NEW.confidence, NEW.tier))
  EXECUTE FUNCTION announce_ranking();

import { round, saturation } from './curves.ts';
import { METHOD } from './rs-1.0.0.ts';

/** A parent's confirmed trust and confidence without its own lineage signal, so that equity is never laundered. */
export interface OwnScore {
  ownTrust: number;
  ownConfidence: number;
}

/** A listing of another creator below one of the creator's own, with its confirmed trust. */
export interface ForeignDescendant {
  /** Edges from the nearest listing of the creator, at least 1. */
  depth: number;
  trust: number;
}

/**
 * What a child inherits over one edge, 0 to 100, one decimal. An edge that the parent's creator neither owns nor
 * acknowledged is a claim and counts half; a parent without a confirmed score gives nothing.
 */
export function trustEquityFlow(parent: OwnScore | null, acknowledged: boolean): number {
  return round(exactEquityFlow(parent, acknowledged), 1);
}

/** As `trustEquityFlow`, before rounding. */
export function exactEquityFlow(parent: OwnScore | null, acknowledged: boolean): number {
  if (parent === null) return 0;
  const { perGeneration, unacknowledged } = METHOD.lineage;
  const claim = acknowledged ? 1 : unacknowledged;
  return 100 * perGeneration * (parent.ownTrust / 100) * (parent.ownConfidence / 100) * claim;
}

/**
 * A creator's equity in what others built on their work, 0 to 100, one decimal. The caller leaves out the creator's
 * own listings and counts each descendant once.
 */
export function trustEquity(descendants: readonly ForeignDescendant[]): number {
  const { perGeneration, equitySaturation } = METHOD.lineage;
  const worth = descendants.reduce(
    (sum, { depth, trust }) => sum + perGeneration ** depth * (trust / 100),
    0,
  );
  return round(100 * saturation(worth, equitySaturation), 1);
}

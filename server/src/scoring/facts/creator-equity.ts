import type { Database } from '../../database/connect.ts';
import { retryConflicts } from '../../database/retry-conflicts.ts';
import { inTransaction } from '../../database/transaction.ts';
import { creatorGraph } from '../embedded/creator-graph.ts';
import { noteScoreDue } from '../note-score-due.ts';
import { loadCreatorEdges, loadPreTrusted, replaceEquity } from './creator-equity.repository.ts';

/** What a refresh of the creators' equity came to. */
export interface EquityRefresh {
  /** Creators that have one now: those linked by work that one built on another's. */
  creators: number;
  /** Creators that have another one than before, or none any more: their scores are due. */
  changed: number;
}

/**
 * Makes the equity of all creators anew from who builds on whose work, and notes the creators whose scores it changes.
 * Where no linked creator is trusted beforehand nobody has any: then the signal is missing, not zero. The graph is made
 * outside of the transaction that replaces all rows at once.
 */
export async function refreshCreatorEquity(database: Database): Promise<EquityRefresh> {
  const edges = await loadCreatorEdges(database);
  const equity = creatorGraph(edges, await loadPreTrusted(database)) ?? new Map<string, number>();
  const replace = () =>
    inTransaction(database, async (connection) => {
      const changed = await replaceEquity(connection, equity);
      await noteScoreDue(connection, [], changed);
      return changed.length;
    });
  return { creators: equity.size, changed: await retryConflicts(replace) };
}

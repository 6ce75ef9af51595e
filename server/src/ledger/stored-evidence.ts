import { onEach } from '../database/coalesce.ts';
import type { ScoreRow } from '../scoring/score-row.ts';

const MOST_KNOWN = 20_000;

/** The large parts of a row stand in its evidence alone. */
type Sent = Omit<ScoreRow, 'inputs' | 'contributions' | 'caps'> & Partial<ScoreRow>;

/** The evidence that is known to be stored: no evidence is ever changed or taken out. */
export interface StoredEvidence {
  /** A row as it has to be sent: without its large parts where they are stored. */
  toSend(subjectId: string, row: ScoreRow): Sent;
  /** Evidence of this content is stored. */
  note(subjectId: string, content: string): void;
  /** Nothing is known any more: all is sent. */
  forget(): void;
}

/** What is known to be stored, up to so many contents. */
export function createStoredEvidence(most = MOST_KNOWN): StoredEvidence {
  const known = new Set<string>();
  return {
    toSend(subjectId, row) {
      if (!known.has(`${subjectId} ${row.content}`)) return row;
      const { inputs: _inputs, contributions: _contributions, caps: _caps, ...small } = row;
      return small;
    },
    note(subjectId, content) {
      if (known.size >= most) known.clear();
      known.add(`${subjectId} ${content}`);
    },
    forget: () => known.clear(),
  };
}

/** What this process knows of the database behind a connection. */
export const storedEvidence = onEach(() => createStoredEvidence());

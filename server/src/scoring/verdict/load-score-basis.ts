import type { Connection } from '../../platform/database/connect.ts';
import { findScoreBasis } from './score-basis.queries.ts';
import type { ScoreBasis } from './score-basis.ts';

/** Loads the basis of a subject's current score; null without one. */
export function loadScoreBasis(connection: Connection, subjectId: string): Promise<ScoreBasis | null> {
  return findScoreBasis(connection, subjectId);
}

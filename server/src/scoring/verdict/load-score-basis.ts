import type { Connection } from '../../database/connect.ts';
import { findScoreBasis } from './score-basis.repository.ts';
import type { ScoreBasis } from './score-basis.ts';

/** What a subject's present score rests on; null without one. */
export function loadScoreBasis(connection: Connection, subjectId: string): Promise<ScoreBasis | null> {
  return findScoreBasis(connection, subjectId);
}

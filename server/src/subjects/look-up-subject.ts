import type { Connection } from '../database/connect.ts';
import { type CurrentScore, findCurrentScore } from './current-score.repository.ts';
import type { Naming } from './naming.ts';
import { type ResolvedSubject, resolveSubject } from './resolve-subject.ts';
import { SUBJECT_TYPES, type SubjectType } from './subject-type.ts';

/** A subject with its stored score; without a confirmed one trust, confidence and version are null and the tier is low. */
export interface SubjectRecord extends ResolvedSubject, CurrentScore {}

/**
 * The one subject that a text names, of the given type or of any; reads what is stored and nothing else. Throws
 * subject_not_found, or subject_ambiguous with the candidates.
 */
export async function lookUpSubject(
  connection: Connection,
  text: string,
  type: SubjectType | null,
  naming: Naming,
): Promise<SubjectRecord> {
  const subject = await resolveSubject(connection, type ?? SUBJECT_TYPES, text, naming);
  const score = await findCurrentScore(connection, subject.id);
  return { ...subject, ...(score ?? { trust: null, confidence: null, tier: 'low', scoreVersion: null }) };
}

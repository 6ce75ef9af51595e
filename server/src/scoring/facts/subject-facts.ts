import type { Facts, ScoreSubject } from '../scoring-backend.ts';

/** What a score request needs of one subject; `now` is the database's time of the reading. */
export interface SubjectFacts<Kind extends Facts = Facts> {
  subject: ScoreSubject;
  /** Of the kind that fits the subject's type. */
  facts: Kind;
  now: Date;
}

import { EMBEDDED_SOURCE, METHOD } from '../embedded/rs-1.0.0.ts';
import type { Facts } from '../scoring-backend.ts';
import { type Raisable, type WayToRaise, waysToRaise } from './ways-to-raise.ts';

/** A stored score of an agent or skill, with what it was made of. */
type StoredScore = Omit<Raisable, 'facts' | 'now'> & {
  source: string;
  methodVersion: string | null;
  facts: Facts | null;
  scoredAt: Date;
};

/** What would raise a stored score of this method; nothing of another's, which only its maker can tell. */
export function waysOfScore({ source, methodVersion, facts, scoredAt, ...of }: StoredScore): WayToRaise[] {
  const isOurs = source === EMBEDDED_SOURCE && methodVersion === METHOD.version;
  if (!isOurs || facts === null || !('parents' in facts)) return [];
  return waysToRaise({ ...of, facts, now: scoredAt });
}

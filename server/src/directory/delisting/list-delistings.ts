import type { Connection } from '../../database/connect.ts';
import { findDelistings } from './delisting.repository.ts';

/** One stay of a listing outside of the directory. */
export interface Delisting {
  agentId: string;
  host: string;
  repository: string;
  reason: string;
  /** `2026-11-22`, in UTC. */
  day: string;
  /** `2026-11-23`; null while it lasts. */
  relistedOn: string | null;
}

/** What was delisted and when, the latest first, with what is listed again since. */
export async function listDelistings(connection: Connection): Promise<Delisting[]> {
  const stored = await findDelistings(connection);
  return stored.map(({ agentId, host, repository, reason, delistedAt, relistedAt }) => ({
    agentId,
    host,
    repository,
    reason,
    day: dayOf(delistedAt),
    relistedOn: relistedAt && dayOf(relistedAt),
  }));
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

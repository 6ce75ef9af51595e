import { createHosts, type Hosts } from '../../src/hosts/hosts.ts';
import type { RefreshParts } from '../../src/refresh/refresh-listing.ts';
import {
  enrolReadableHosts,
  type RefreshRunOptions,
  type RefreshSummary,
  refreshListings,
} from '../../src/refresh/refresh-run.ts';
import { embeddedBackend } from '../../src/scoring/embedded/embedded-backend.ts';
import { createImportWorkspace, type ImportWorkspace } from '../import/import-workspace.ts';
import { type StandInHost, startStandInHost } from '../stand-ins/stand-in-host.ts';

/** What is stored of a listing and of its last check. */
interface StoredState {
  id: string;
  repository: string;
  hostRepositoryId: string | null;
  stars: number | null;
  license: string | null;
  archived: boolean | null;
  creator: string;
  observed: string | null;
  changed: string;
  version: string | null;
  outcome: string | null;
  failures: number | null;
  /** Seconds from now. */
  nextCheckIn: number | null;
  leased: boolean;
}

/** A fresh database with imports, stand-in hosts and everything that refreshes. */
export interface RefreshWorkspace extends ImportWorkspace {
  readonly standIn: StandInHost;
  readonly parts: RefreshParts;
  refresh(options?: Partial<RefreshRunOptions>): Promise<RefreshSummary>;
  /** Makes every listing due now, as if the time had come. */
  makeDue(): Promise<void>;
  state(repository: string): Promise<StoredState>;
  /** The listing that a name leads to, by alias. */
  named(label: string): Promise<string[]>;
}

/** Makes one; `close` ends all of it. */
export async function createRefreshWorkspace(): Promise<RefreshWorkspace> {
  const work = await createImportWorkspace();
  const standIn = await startStandInHost();
  const hosts: Hosts = createHosts({
    publicUrl: 'https://directory.example',
    hostApiUrls: standIn.hostApiUrls,
    hostApiTokens: [],
  });
  const { database } = work;
  const parts = { database, backend: embeddedBackend, hosts };
  return {
    ...work,
    standIn,
    parts,
    async refresh(options = {}) {
      const readable = await enrolReadableHosts(database, hosts);
      return refreshListings(parts, readable, { signal: new AbortController().signal, ...options });
    },
    async makeDue() {
      await database.query(
        "UPDATE repository_refresh SET next_check_at = ledger_now() - interval '1 second'",
      );
    },
    async state(repository) {
      const [state] = await database.query<StoredState>(STATE, [repository]);
      if (!state) throw new Error(`no listing is called ${repository}`);
      return state;
    },
    async named(label) {
      const rows = await database.query<{ repository: string }>(
        `SELECT l.repository FROM subject_alias a JOIN listing l USING (subject_id)
         WHERE a.label = $1 AND a.kind <> 'name' ORDER BY 1`,
        [label],
      );
      return rows.map((row) => row.repository);
    },
    async close() {
      await hosts.close();
      await standIn.close();
      await work.close();
    },
  };
}

const STATE = `
SELECT l.subject_id AS id, l.repository, l.host_repository_id AS "hostRepositoryId", l.stars, l.license, l.archived,
  c.handle AS creator, utc_text(l.metrics_observed_at) AS observed, utc_text(l.updated_at) AS changed,
  utc_text(k.score_version) AS version, r.outcome, r.failures,
  extract(epoch FROM r.next_check_at - ledger_now())::float8 AS "nextCheckIn", r.lease_id IS NOT NULL AS leased
FROM listing l JOIN listing_rank k ON k.subject_id = l.subject_id JOIN creator c ON c.subject_id = l.creator_id
LEFT JOIN repository_refresh r ON r.listing_id = l.subject_id WHERE lower(l.repository) = lower($1)`;

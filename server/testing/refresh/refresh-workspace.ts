import { createHosts, type Hosts } from '../../src/hosts/create-hosts.ts';
import type { RefreshDependencies } from '../../src/intake/refresh/refresh-listing.ts';
import { refreshListings, scheduleReadableHosts } from '../../src/intake/refresh/refresh-run.ts';
import {
  type RefreshRunOptions,
  type RefreshSource,
  type RefreshSummary,
  refreshSource,
} from '../../src/intake/refresh/refresh-source.ts';
import { embeddedBackend } from '../../src/scoring/embedded/embedded-backend.ts';
import { createImportWorkspace, type ImportWorkspace } from '../import/import-workspace.ts';
import { type StandInHost, startStandInHost } from '../stand-ins/stand-in-host.ts';

/** Stored state of a listing and of its last check. */
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
  /** Seconds from now until the next check. */
  nextCheckIn: number | null;
  leased: boolean;
}

/** A new database with imports, stand-in hosts and all parts of the refresh. */
export interface RefreshWorkspace extends ImportWorkspace {
  readonly standIn: StandInHost;
  readonly parts: RefreshDependencies;
  refresh(options?: Partial<RefreshRunOptions>): Promise<RefreshSummary>;
  /** Refreshes the due items of another source. */
  refreshFrom(source: RefreshSource, options?: Partial<RefreshRunOptions>): Promise<RefreshSummary>;
  /** Makes every listing and every item of other sources due now. */
  makeDue(): Promise<void>;
  state(repository: string): Promise<StoredState>;
  /** Returns the repositories of the listings with this alias, sorted. Leaves out aliases of the kind `name`. */
  named(label: string): Promise<string[]>;
}

/** Creates a workspace; `close` releases its resources. */
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
      const readable = await scheduleReadableHosts(database, hosts);
      return refreshListings(parts, readable, { signal: new AbortController().signal, ...options });
    },
    async refreshFrom(source, options = {}) {
      const readable = await source.prepare();
      return refreshSource(source, readable, { signal: new AbortController().signal, ...options });
    },
    async makeDue() {
      for (const table of ['repository_refresh', 'source_reading']) {
        await database.query(`UPDATE ${table} SET next_check_at = ledger_now() - interval '1 second'`);
      }
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

import { cleanName } from './clean-values.ts';

/** A repository as its host shows it to everybody; null is unknown, moments are ISO 8601 UTC. */
export interface RepositoryReading {
  /** The host's own id, which stays through renames. */
  readonly hostRepositoryId: string;
  /** Immutable id of the owning account, as the account readers give it; null where the host does not tell. */
  readonly hostOwnerId: string | null;
  /** `owner/name` now, in the host's spelling; a host with folders may answer more parts. */
  readonly repository: string;
  readonly description: string | null;
  readonly topics: readonly string[];
  readonly homepage: string | null;
  /** An SPDX expression; NOASSERTION for a licence that the host cannot name. */
  readonly license: string | null;
  /** False: this host never states a licence. */
  readonly statesLicense: boolean;
  readonly stars: number | null;
  readonly forks: number | null;
  /** GitHub counts open pull requests too. */
  readonly openIssues: number | null;
  readonly lastCommitAt: string | null;
  readonly createdAt: string | null;
  readonly archived: boolean | null;
  /** `owner/name` of the repository that the host says it is a fork of. */
  readonly forkOf: string | null;
}

/** How one interface tells of a repository. */
export interface RepositoryReader {
  pathByName(repository: string): string;
  pathById(id: string): string;
  read(body: string, host: string): ReadRecord;
}

/** A record, and where the host tells what the record itself leaves out. */
interface ReadRecord {
  readonly reading: RepositoryReading;
  readonly lastCommit: Further | null;
  /** The path that tells the owner's id, where the record tells only the owner's name. */
  readonly owner: Further | null;
}

/** One more answer of the host, and how to read it. */
interface Further {
  readonly path: string;
  read(body: string, host: string): string | null;
}

export const DESCRIPTION_LENGTH = 2_000;
const TOPICS = 8;
const TOPIC_LENGTH = 50;

/** The first topics as tags: lower case, each once. */
export function topicsOf(topics: readonly string[] | null | undefined): string[] {
  const cleaned = (topics ?? []).map((topic) => cleanName(topic, TOPIC_LENGTH)?.toLowerCase() ?? '');
  return [...new Set(cleaned.filter((topic) => topic !== ''))].slice(0, TOPICS);
}

/** `owner/name` for an address, each part escaped. */
export function pathOf(repository: string): string {
  return repository.split('/').map(encodeURIComponent).join('/');
}

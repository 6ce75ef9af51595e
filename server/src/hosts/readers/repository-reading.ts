import { cleanName } from '../untrusted-answers.ts';

/** Public record of a repository. Null means unknown; times are ISO 8601 UTC. */
export interface RepositoryReading {
  /** The host's own id, which survives renames. */
  readonly hostRepositoryId: string;
  /**
   * Immutable id of the account that owns the repository, in the form that account readers use; null if the host does
   * not show it.
   */
  readonly hostOwnerId: string | null;
  /** Current `owner/name`, in the host's spelling. Hosts with folders may return more parts. */
  readonly repository: string;
  readonly description: string | null;
  readonly topics: readonly string[];
  readonly homepage: string | null;
  /** SPDX expression; NOASSERTION for a licence that the host cannot identify. */
  readonly license: string | null;
  /** False for hosts that never state a licence. */
  readonly statesLicense: boolean;
  readonly stars: number | null;
  readonly forks: number | null;
  /** Includes open pull requests on GitHub. */
  readonly openIssues: number | null;
  readonly lastCommitAt: string | null;
  readonly createdAt: string | null;
  readonly archived: boolean | null;
  /** `owner/name` of the repository that this one is a fork of, according to the host. */
  readonly forkOf: string | null;
}

/** Reads repositories through one host API. */
export interface RepositoryReader {
  pathByName(repository: string): string;
  pathById(id: string): string;
  read(body: string, host: string): ReadRecord;
}

/** A parsed record, with further requests for values that it does not contain. */
interface ReadRecord {
  readonly reading: RepositoryReading;
  readonly lastCommit: Further | null;
  /** Request for the owner's id, if the record has only the owner's name. */
  readonly owner: Further | null;
}

/** A further request, and the parser of its answer. */
interface Further {
  readonly path: string;
  read(body: string, host: string): string | null;
}

export const DESCRIPTION_LENGTH = 2_000;
const TOPICS = 8;
const TOPIC_LENGTH = 50;

/** Returns topics as unique tags in lower case, up to a maximum number. */
export function cleanTopics(topics: readonly string[] | null | undefined): string[] {
  const cleaned = (topics ?? []).map((topic) => cleanName(topic, TOPIC_LENGTH)?.toLowerCase() ?? '');
  return [...new Set(cleaned.filter((topic) => topic !== ''))].slice(0, TOPICS);
}

/** Escapes each part of `owner/name` for a URL path. */
export function escapePath(repository: string): string {
  return repository.split('/').map(encodeURIComponent).join('/');
}

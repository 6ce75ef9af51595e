import type { Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import { escapePath } from '../readers/repository-reading.ts';
import { type RateLimit, requestHost, type Validators } from '../request-host.ts';
import { cleanTime, createAnswerParser, optionalSchema } from '../untrusted-answers.ts';

/** Host of the published results of OpenSSF Scorecard. */
export const SCORECARD_HOST = 'api.securityscorecards.dev';

/** Result of OpenSSF Scorecard for a repository, 0 to 10. */
export interface ScorecardResult {
  /** Repository in the form `host/owner/name`, lower case. */
  readonly repository: string;
  readonly score: number;
  readonly ranAt: string | null;
}

const readResult = createAnswerParser({
  type: 'object',
  required: ['score', 'repo'],
  properties: {
    score: { type: 'number', minimum: 0, maximum: 10 },
    date: optionalSchema('string'),
    repo: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', minLength: 1, maxLength: 300 } },
    },
  },
});

/** Parses a result; throws a HostFailure `unusable` for anything else. */
function parseScorecard(text: string): ScorecardResult {
  const { score, date, repo } = readResult(text, SCORECARD_HOST);
  return { repository: repo.name.toLowerCase(), score, ranAt: cleanTime(date) };
}

/**
 * Reads `GET /projects/{platform}/{org}/{repo}`. `result` is null if nothing has changed since the answer with the
 * validators `since`. Rejects with a HostFailure: `not_found` if the repository has no result, `moved` if the result is
 * another repository's.
 */
export async function readScorecard(
  hosts: Hosts,
  { host, repository }: { host: string; repository: string },
  { since, signal }: { since: Validators; signal: AbortSignal },
): Promise<{ result: ScorecardResult | null; validators: Validators; rateLimit: RateLimit }> {
  const endpoint = hosts.endpointOf(SCORECARD_HOST);
  if (endpoint === null) throw new HostFailure('unreadable', `This server cannot read ${SCORECARD_HOST}.`);
  const isConditional = since.etag !== null || since.lastModified !== null;
  const question = { signal, alsoNotFound: 404, ...(isConditional ? { since } : {}) };
  const answer = await requestHost(hosts, endpoint, pathOf(host, repository), question);
  const { validators, rateLimit } = answer;
  if (answer.notModified) return { result: null, validators: since, rateLimit };
  const result = parseScorecard(answer.body);
  if (result.repository !== `${host}/${repository}`.toLowerCase()) {
    throw new HostFailure('moved', `${SCORECARD_HOST} answered about a different repository than requested.`);
  }
  return { result, validators, rateLimit };
}

function pathOf(host: string, repository: string): string {
  return `/projects/${encodeURIComponent(host)}/${escapePath(repository)}`;
}

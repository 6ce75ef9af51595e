import { removeFacts, saveFacts } from '../../catalog/facts/observed-facts.ts';
import { SCORECARD_SOURCE, scorecardFact } from '../../catalog/facts/save-scorecards.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { readScorecard, SCORECARD_HOST, type ScorecardResult } from '../../hosts/lookup/scorecard.ts';
import type { Validators } from '../../hosts/request-host.ts';
import type { Database } from '../../platform/database/connect.ts';
import { scheduleKnownListings } from './leased-source.queries.ts';
import { createLeasedSource } from './leased-source.ts';
import { findRepositoryName } from './refresh.queries.ts';
import type { RefreshSource } from './refresh-source.ts';

const DAY_SECONDS = 86_400;
/**
 * Seconds between two readings of a result, which is published weekly. Most repositories have no result; they are read
 * less often (GONE_SECONDS).
 */
const CHECK_SECONDS = 14 * DAY_SECONDS;
const GONE_SECONDS = 60 * DAY_SECONDS;
/** Host whose repositories have published results. */
const SCORED_HOST = 'github.com';

/** State between two readings: the result, and the repository and validators of the answer. */
type ScorecardState = Partial<Validators> & { repository?: string; result?: ScorecardResult };

interface ReadScorecard {
  repository: string;
  result: ScorecardResult;
}

/** Creates the source of OpenSSF Scorecard results of listed repositories. */
export function scorecardSource({ database, hosts }: { database: Database; hosts: Hosts }): RefreshSource {
  return createLeasedSource<ReadScorecard>(database, {
    name: 'scorecards',
    source: SCORECARD_SOURCE,
    checkSeconds: CHECK_SECONDS,
    goneSeconds: GONE_SECONDS,
    async prepare() {
      await scheduleKnownListings(database, SCORECARD_SOURCE, [SCORED_HOST], SCORECARD_HOST);
      return [SCORECARD_HOST];
    },
    async read({ item, state }, signal) {
      const repository = await findRepositoryName(database, item);
      if (repository === null) throw new HostFailure('not_found', 'The listing has been removed.');
      const before = state as ScorecardState;
      // After a rename, the stored validators belong to another address and are not sent.
      const isSame = before.repository === repository && before.result !== undefined;
      const { etag = null, lastModified = null } = isSame ? before : {};
      const since = { etag, lastModified };
      const answer = await readScorecard(hosts, { host: SCORED_HOST, repository }, { since, signal });
      const result = answer.result ?? before.result;
      if (result === undefined) throw new HostFailure('unusable', `${SCORECARD_HOST} sent no result.`);
      const { validators, rateLimit } = answer;
      return {
        value: { repository, result },
        state: { repository, result, ...validators },
        requests: 1,
        rateLimit,
      };
    },
    store(connection, { item }, read) {
      if (read === null) return removeFacts(connection, [item], 'scorecard', SCORECARD_SOURCE);
      const { repository, result } = read;
      return saveFacts(connection, [scorecardFact(item, { host: SCORED_HOST, ...result, repository })]);
    },
  });
}

import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { HandlersOf } from '../../platform/http/contract/handlers-of.ts';
import { compareSubject, explainSubject, listScoreHistory } from './explain-subject.ts';
import { presentDifference, presentExplanation, presentVersion } from './explanation.presenter.ts';

/** Creates the handlers of the public reads that explain scores, list past ones, and compare them. */
export function createExplanationHandlers({
  publicUrls,
}: {
  publicUrls: PublicUrls;
}): HandlersOf<'explainScore' | 'listScoreHistory' | 'compareScores'> {
  return {
    async explainScore({ reads, params, query }) {
      const { score_version: at = null } = query;
      const explained = await explainSubject(reads, params.canonical_id, at, publicUrls);
      return { status: 200, body: presentExplanation(explained, publicUrls) };
    },
    async listScoreHistory({ reads, params, query }) {
      const { cursor = null, limit } = query;
      const page = { cursor, limit };
      const found = await listScoreHistory(reads, params.canonical_id, page, publicUrls);
      const { versions, nextCursor } = found;
      return { status: 200, body: { data: versions.map(presentVersion), nextCursor } };
    },
    async compareScores({ reads, params, query }) {
      const { from = null, to = null } = query;
      const compared = await compareSubject(reads, params.canonical_id, { from, to }, publicUrls);
      return { status: 200, body: presentDifference(compared, publicUrls) };
    },
  };
}

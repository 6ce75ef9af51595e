import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { isDefaultScore, verdictOf } from '../../../scoring/verdict/verdict.ts';
import { BadgeCard, type BadgeScore } from '../../components/badge-drawing.tsx';
import { Snippet } from '../../components/formatting.tsx';
import type { ScoreDetail } from '../score/score-detail.queries.ts';

interface BadgeSectionProps {
  subject: ResolvedSubject;
  score: ScoreDetail | null;
  /** Origin of this directory, without a trailing slash. */
  site: string;
}

/** Shows the badge of the page's subject, with code to embed it. */
export function BadgeSection({ subject, score, site }: BadgeSectionProps) {
  const { type, agentId, id, publicPath } = subject;
  const shown = score && badgeScoreOf(score);
  return <BadgeCard type={type} id={agentId ?? id} score={shown} publicPath={publicPath} site={site} />;
}

function badgeScoreOf(score: ScoreDetail): BadgeScore {
  const { state, reasons } = verdictOf(score);
  return { ...score, verdict: state, restsOnDefaults: isDefaultScore(score.confidence, reasons) };
}

interface SnippetsSectionProps {
  /** API path of the record that the page shows. */
  apiPath: string;
  /** Expression that reads the record with the SDK's `client`. */
  sdkCall: string;
  /** Origin of this directory, without a trailing slash. */
  site: string;
}

/** Shows code to copy that reads the page's record from the API: with curl, and with the SDK. */
export function SnippetsSection({ apiPath, sdkCall, site }: SnippetsSectionProps) {
  return (
    <section class="card" aria-labelledby="check">
      <h2 id="check">Check it yourself</h2>
      <p class="small">
        <a href={apiPath}>The same record from the API</a>
      </p>
      <Snippet name="curl" text={`curl '${site}${apiPath}'`} />
      <Snippet
        name="SDK"
        text={`import { TrustDirectory } from '@trust-directory/sdk';\n\nconst client = new TrustDirectory({\n  baseUrl: '${site}',\n  apiKey: null,\n});\nconst record = await ${sdkCall};`}
      />
    </section>
  );
}

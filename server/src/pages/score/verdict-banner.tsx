import type { AgentRecord, Standing } from '../../directory/agent-record.ts';
import { scoreBasisOf } from '../../scoring/verdict/score-basis.ts';
import { restsOnDefaults, verdictOf } from '../../scoring/verdict/verdict.ts';
import { Foreign, formatConfidence, formatTrust } from '../../ui/text.tsx';
import { NOT_ENOUGH } from '../../ui/trust-figures.tsx';
import { likelyRange, TrustLine } from '../../ui/trust-line.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { RAISE } from './raise-section.tsx';
import type { ScoreDetail } from './score-detail.ts';

/** Where a listing stands, and among which. */
export type Compared = Standing & Pick<AgentRecord, 'type' | 'category'>;

interface BannerProps {
  score: ScoreDetail | null;
  compared: Compared | null;
  /** Whether the page says what would raise the score. */
  canRaise?: boolean;
  /** What was observed against it, in a sentence, where there is no score to say so. */
  warning?: string | null;
}

/** What it comes to, before what it is made of. */
export function VerdictBanner({ score, compared, canRaise = false, warning = null }: BannerProps) {
  if (score === null && warning !== null) {
    return (
      <section class="notice banner warning" aria-label="Verdict">
        <div>
          <VerdictMark state="warning" />
          <p class="lead">{warning}</p>
          <p class="small">
            No confirmed score yet: there is not enough other evidence.{' '}
            <a href="/method">How scores are made</a>
          </p>
        </div>
      </section>
    );
  }
  if (score === null) {
    return (
      <section class="notice banner little_evidence" aria-label="Verdict">
        <div>
          <p class="lead">No confirmed score yet.</p>
          <p class="small">
            This says nothing about its quality: the evidence is not enough, or a score was not requested yet.{' '}
            <a href="/method">How scores are made</a>
          </p>
        </div>
      </section>
    );
  }
  const verdict = verdictOf(score);
  return (
    <section class={`notice banner ${verdict.state}`} aria-label="Verdict">
      <div>
        <VerdictMark state={verdict.state} />
        <p class="lead">{verdict.sentence}</p>
        {score.contributions.length > 0 && (
          <p class="small">
            <a href="#why">Why</a>
            {canRaise && (
              <>
                {' · '}
                <a href={`#${RAISE}`}>What would raise it</a>
              </>
            )}
          </p>
        )}
      </div>
      {restsOnDefaults(score.confidence, verdict.reasons) ? (
        <div>
          <p class="lead nothing">{NOT_ENOUGH}</p>
          <p class="small">
            A paid call returns the figure with what it rests on: {scoreBasisOf(score).text}.
          </p>
        </div>
      ) : (
        <Figures score={score} compared={compared} />
      )}
    </section>
  );
}

function Figures({ score, compared }: BannerProps & { score: ScoreDetail }) {
  const { trust, confidence, lowerBound } = score;
  return (
    <div>
      <dl class="score">
        <div>
          <dt>Trust</dt>
          <dd>{formatTrust(trust)}</dd>
        </div>
        <div>
          <dt>Confidence</dt>
          <dd>{formatConfidence(confidence)}</dd>
        </div>
      </dl>
      <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />
      <p class="small muted">
        likely {likelyRange(trust, lowerBound)}
        {compared !== null && compared.percentile > 0 && (
          <>
            {' · '}above {compared.percentile}% of <Foreign>{compared.category}</Foreign> {compared.type}s
          </>
        )}
      </p>
      <p class="small muted">Score basis – {scoreBasisOf(score).text}</p>
    </div>
  );
}

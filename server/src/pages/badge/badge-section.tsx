import { restsOnDefaults, verdictOf } from '../../scoring/verdict/verdict.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import type { ScoreDetail } from '../score/score-detail.ts';
import { BadgeDrawing, type BadgeScore } from './badge.tsx';
import { badgePath } from './badge-path.ts';
import { Snippet } from './snippets-section.tsx';

interface BadgeSectionProps {
  subject: ResolvedSubject;
  score: ScoreDetail | null;
  /** Where this directory lives, without a slash at the end. */
  site: string;
}

/** The badge as it looks on a light and on a dark page, and what to paste. */
export function BadgeSection({ subject, score, site }: BadgeSectionProps) {
  const path = badgePath(subject.type, subject.agentId ?? subject.id);
  const page = `${site}${subject.publicPath}`;
  const shown = score && badgeScoreOf(score);
  return (
    <section class="card" aria-labelledby="badge">
      <h2 id="badge">Badge</h2>
      <div class="previews">
        <p class="on-light">
          <BadgeDrawing score={shown} />
        </p>
        <p class="on-dark">
          <BadgeDrawing score={shown} />
        </p>
      </div>
      <Snippet name="Markdown" text={`[![trust](${site}${path})](${page})`} />
      <Snippet name="HTML" text={`<a href="${page}"><img src="${site}${path}" alt="trust"></a>`} />
      <p class="small">
        <a href={path}>The badge</a> shows the verdict and trust, and follows the score.
      </p>
    </section>
  );
}

function badgeScoreOf(score: ScoreDetail): BadgeScore {
  const { state, reasons } = verdictOf(score);
  return { ...score, verdict: state, restsOnDefaults: restsOnDefaults(score.confidence, reasons) };
}

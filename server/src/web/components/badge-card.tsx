import type { SubjectType } from '../../scoring/subject-type.ts';
import { BadgeDrawing, type BadgeFigures, badgePath } from './badge-drawing.tsx';
import { Snippet } from './formatting.tsx';

interface BadgeCardProps {
  type: SubjectType;
  /** `AGT-` id or canonical id of the subject. */
  id: string;
  /** Score to show; null without a confirmed one. */
  score: BadgeFigures | null;
  /** Path of the subject's page. */
  publicPath: string;
  /** Origin of this directory, without a trailing slash. */
  site: string;
}

/** Shows the badge on light and on dark ground, with code to paste. */
export function BadgeCard({ type, id, score, publicPath, site }: BadgeCardProps) {
  const path = badgePath(type, id);
  const page = `${site}${publicPath}`;
  return (
    <section class="card" aria-labelledby="badge">
      <h2 id="badge">Badge</h2>
      <div class="previews">
        <p class="on-light">
          <BadgeDrawing score={score} />
        </p>
        <p class="on-dark">
          <BadgeDrawing score={score} />
        </p>
      </div>
      <Snippet name="Markdown" text={`[![trust](${site}${path})](${page})`} />
      <Snippet name="HTML" text={`<a href="${page}"><img src="${site}${path}" alt="trust"></a>`} />
      <p class="small">
        <a href={path}>The badge</a> updates with the score. It shows the verdict and trust.
      </p>
    </section>
  );
}

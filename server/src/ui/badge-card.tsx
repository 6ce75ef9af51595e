import type { SubjectType } from '../subjects/subject-type.ts';
import { BadgeDrawing, type ShownBadge } from './badge.tsx';
import { badgePath } from './badge-path.ts';
import { Snippet } from './snippet.tsx';

interface BadgeCardProps {
  type: SubjectType;
  /** An `AGT-` id or a canonical id. */
  id: string;
  /** Null without a confirmed score. */
  score: ShownBadge | null;
  /** Of the subject's page. */
  publicPath: string;
  /** Where this directory lives, without a slash at the end. */
  site: string;
}

/** The badge as it looks on a light and on a dark page, and what to paste. */
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

import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { SubjectType } from '../../../scoring/subject-type.ts';
import { verdictOf } from '../../../scoring/verdict/verdict.ts';
import { SUBJECT_STYLE_PATH } from '../../components/assets.ts';
import { cardPath } from '../../components/badge-drawing.tsx';
import { formatDay, toWords } from '../../components/formatting.tsx';
import { figuresText } from '../../components/trust-line.tsx';
import { verdictLabel } from '../../components/verdict-mark.tsx';
import type { ScoreDetail } from '../score/score-detail.queries.ts';
import { absoluteUrl } from './page-dependencies.ts';

/** Returns the layout of a subject's page: title, canonical URL and Open Graph metadata. */
export function subjectLayout(
  subject: { type: SubjectType; name: string; publicPath: string },
  id: string,
  score: ScoreDetail | null,
  publicUrls: PublicUrls,
) {
  const url = absoluteUrl(subject.publicPath, publicUrls);
  const description =
    score === null ? `${toWords(subject.type)} has no confirmed score yet.` : descriptionOf(score);
  const image = { url: absoluteUrl(cardPath(subject.type, id), publicUrls), alt: description };
  return {
    title: `${subject.name} · Trust Directory`,
    canonical: url,
    openGraph: { url, description, image },
    style: SUBJECT_STYLE_PATH,
  };
}

/** Describes a score in one line, verdict first. */
function descriptionOf(score: ScoreDetail): string {
  const verdict = verdictOf(score);
  const figures = figuresText({ ...score, verdict });
  return `${verdictLabel(verdict.state)}. ${verdict.sentence} ${figures}, as of ${formatDay(score.version)}.`;
}

import { verdictOf } from '../../scoring/verdict/verdict.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { SubjectType } from '../../subjects/subject-type.ts';
import { SUBJECT_STYLE_PATH } from '../../ui/assets.ts';
import { cardPath } from '../../ui/badge-path.ts';
import { formatDay, toWords } from '../../ui/text.tsx';
import { figuresText } from '../../ui/trust-figures.tsx';
import { verdictWord } from '../../ui/verdict-mark.tsx';
import type { ScoreDetail } from '../score/score-detail.ts';
import { absoluteAddress } from './absolute-address.ts';

/** What frames the page of a subject: its address, and what others show of a link to it. */
export function subjectFrame(
  subject: { type: SubjectType; name: string; publicPath: string },
  id: string,
  score: ScoreDetail | null,
  naming: Naming,
) {
  const url = absoluteAddress(subject.publicPath, naming);
  const description =
    score === null ? `${toWords(subject.type)} has no confirmed score yet.` : descriptionOf(score);
  const image = { url: absoluteAddress(cardPath(subject.type, id), naming), alt: description };
  return {
    title: `${subject.name} · Trust Directory`,
    canonical: url,
    shared: { url, description, image },
    style: SUBJECT_STYLE_PATH,
  };
}

/** The verdict first, as on the page itself. */
function descriptionOf(score: ScoreDetail): string {
  const verdict = verdictOf(score);
  const figures = figuresText({ ...score, verdict });
  return `${verdictWord(verdict.state)}. ${verdict.sentence} ${figures}, as of ${formatDay(score.version)}.`;
}

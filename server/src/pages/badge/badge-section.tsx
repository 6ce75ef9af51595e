import { restsOnDefaults, verdictOf } from '../../scoring/verdict/verdict.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import type { BadgeScore } from '../../ui/badge.tsx';
import { BadgeCard } from '../../ui/badge-card.tsx';
import type { ScoreDetail } from '../score/score-detail.ts';

interface BadgeSectionProps {
  subject: ResolvedSubject;
  score: ScoreDetail | null;
  /** Where this directory lives, without a slash at the end. */
  site: string;
}

/** The badge of the subject that a page is about. */
export function BadgeSection({ subject, score, site }: BadgeSectionProps) {
  const { type, agentId, id, publicPath } = subject;
  const shown = score && badgeScoreOf(score);
  return <BadgeCard type={type} id={agentId ?? id} score={shown} publicPath={publicPath} site={site} />;
}

function badgeScoreOf(score: ScoreDetail): BadgeScore {
  const { state, reasons } = verdictOf(score);
  return { ...score, verdict: state, restsOnDefaults: restsOnDefaults(score.confidence, reasons) };
}

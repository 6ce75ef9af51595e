import type { ComponentChildren } from 'preact';
import { ForeignText } from '../../components/formatting.tsx';
import type { ScoreDetail } from './score-detail.queries.ts';
import { type CategoryRank, VerdictBanner } from './verdict-banner.tsx';

interface HeadingProps {
  /** Type of the subject, shown above the name. */
  kind: ComponentChildren;
  name: string;
  description: string;
  score: ScoreDetail | null;
  compared?: CategoryRank | null;
  canRaise?: boolean;
  warning?: string | null;
  children?: ComponentChildren;
}

/** Shows the top of a subject's page: type, name, description, then the verdict with both figures. */
export function SubjectHeading({
  kind,
  name,
  description,
  score,
  compared = null,
  canRaise = false,
  warning = null,
  children,
}: HeadingProps) {
  return (
    <>
      <p class="crumbs">{kind}</p>
      <h1>
        <ForeignText>{name}</ForeignText>
      </h1>
      {description !== '' && (
        <p class="lead">
          <ForeignText>{description}</ForeignText>
        </p>
      )}
      {children}
      <VerdictBanner score={score} compared={compared} canRaise={canRaise} warning={warning} />
    </>
  );
}

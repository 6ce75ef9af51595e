import type { ComponentChildren } from 'preact';
import { Foreign } from '../../ui/text.tsx';
import type { ScoreDetail } from './score-detail.ts';
import { type Compared, VerdictBanner } from './verdict-banner.tsx';

interface HeadingProps {
  /** What it is, above the name. */
  kind: ComponentChildren;
  name: string;
  description: string;
  score: ScoreDetail | null;
  compared?: Compared | null;
  canRaise?: boolean;
  warning?: string | null;
  children?: ComponentChildren;
}

/** The top of a page about one subject: what it is, then the verdict on it with its two figures. */
export function Heading({
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
        <Foreign>{name}</Foreign>
      </h1>
      {description !== '' && (
        <p class="lead">
          <Foreign>{description}</Foreign>
        </p>
      )}
      {children}
      <VerdictBanner score={score} compared={compared} canRaise={canRaise} warning={warning} />
    </>
  );
}

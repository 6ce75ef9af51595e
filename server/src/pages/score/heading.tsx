import type { ComponentChildren } from 'preact';
import { Foreign, formatScore } from '../../ui/text.tsx';
import type { ScoreDetail } from './score-detail.ts';

interface HeadingProps {
  /** What it is, above the name. */
  kind: string;
  name: string;
  description: string;
  score: ScoreDetail | null;
  children?: ComponentChildren;
}

/** The top of a page about one subject: what it is, and its two scores beside each other. */
export function Heading({ kind, name, description, score, children }: HeadingProps) {
  return (
    <div class="head">
      <div>
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
      </div>
      <dl class="score">
        <Figure name="Trust" value={score && formatScore(score.trust)} />
        <Figure name="Confidence" value={score && formatScore(score.confidence)} />
        <Figure name="Tier" value={score?.tier ?? 'low'} />
      </dl>
    </div>
  );
}

function Figure({ name, value }: { name: string; value: string | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={name === 'Tier' ? (value ?? undefined) : undefined}>
        {value ?? <span title="No confirmed score yet">–</span>}
      </dd>
    </div>
  );
}

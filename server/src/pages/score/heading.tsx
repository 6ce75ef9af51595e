import type { ComponentChildren } from 'preact';
import { verdictOf } from '../../scoring/verdict/verdict.ts';
import { Foreign, formatConfidence, formatTrust } from '../../ui/text.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import type { ScoreDetail } from './score-detail.ts';

interface HeadingProps {
  /** What it is, above the name. */
  kind: string;
  name: string;
  description: string;
  score: ScoreDetail | null;
  children?: ComponentChildren;
}

/** The top of a page about one subject: what it is, the verdict on it, then its two scores beside each other. */
export function Heading({ kind, name, description, score, children }: HeadingProps) {
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
      <VerdictBanner score={score} />
    </>
  );
}

/** What it comes to, before what it is made of. */
function VerdictBanner({ score }: { score: ScoreDetail | null }) {
  const verdict = score && verdictOf(score);
  return (
    <section class={`notice head ${verdict?.state ?? 'little_evidence'}`} aria-label="Verdict">
      {verdict === null ? (
        <p>No confirmed score yet.</p>
      ) : (
        <div>
          <VerdictMark state={verdict.state} />
          <p class="lead">{verdict.sentence}</p>
        </div>
      )}
      <dl class="score">
        <Figure name="Trust" value={score && formatTrust(score.trust)} />
        <Figure name="Confidence" value={score && formatConfidence(score.confidence)} />
        <Figure name="Tier" value={score?.tier ?? 'low'} />
      </dl>
    </section>
  );
}

function Figure({ name, value }: { name: string; value: string | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? <span title="No confirmed score yet">–</span>}</dd>
    </div>
  );
}

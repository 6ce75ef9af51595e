import type { ComponentChildren } from 'preact';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { AgentRecord, Standing } from '../../../directory/agents/agent-record.ts';
import { mostWantedFact, scoreBasisOf } from '../../../scoring/explanations/explain-score.ts';
import { describeObserved, inSentence, signalLabel } from '../../../scoring/explanations/signal-labels.ts';
import type { SubjectType } from '../../../scoring/subject-type.ts';
import {
  hasFewFacts,
  isDefaultScore,
  verdictOf,
  WELL_EVIDENCED_FROM,
} from '../../../scoring/verdict/verdict.ts';
import { SUBJECT_STYLE_PATH } from '../../components/assets.ts';
import { cardPath } from '../../components/badge-drawing.tsx';
import {
  ForeignText,
  formatConfidence,
  formatCount,
  formatDay,
  formatScore,
  formatTrust,
  toWords,
} from '../../components/formatting.tsx';
import {
  figuresText,
  likelyRange,
  NOT_ENOUGH_EVIDENCE,
  TrustLine,
  VerdictMark,
  verdictLabel,
} from '../../components/score-figures.tsx';
import { absoluteUrl } from '../frame/page-dependencies.ts';
import { RAISE_ANCHOR } from './owner-sections.tsx';
import type { ScoreDetail } from './score-detail.queries.ts';

interface HeadingProps {
  /** Line above the name, with the type of the subject. */
  kind: ComponentChildren;
  name: string;
  description: string;
  score: ScoreDetail | null;
  compared?: CategoryRank | null;
  canRaise?: boolean;
  warning?: string | null;
  /** Links to sections of the page that are about the verdict. */
  links?: ComponentChildren;
  children?: ComponentChildren;
}

/** Shows the top of a subject's page: type, name and description, then the verdict with trust and confidence. */
export function SubjectHeading({
  kind,
  name,
  description,
  score,
  compared = null,
  canRaise = false,
  warning = null,
  links = null,
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
      <VerdictBanner score={score} compared={compared} canRaise={canRaise} warning={warning} links={links} />
    </>
  );
}

/** Rank of a listing within its type and category. */
export type CategoryRank = Standing & Pick<AgentRecord, 'type' | 'category'>;

interface BannerProps {
  score: ScoreDetail | null;
  compared: CategoryRank | null;
  /** True if the page says what would raise the score. */
  canRaise?: boolean;
  /** Warning to show in place of a missing score. */
  warning?: string | null;
  links?: ComponentChildren;
}

/** Shows the verdict with trust and confidence, or says that evidence or a score is missing. */
function VerdictBanner({ score, compared, canRaise = false, warning = null, links = null }: BannerProps) {
  if (score === null && warning !== null) {
    return (
      <section class="notice banner warning" aria-label="Verdict">
        <div>
          <VerdictMark state="warning" />
          <p class="lead">{warning}</p>
          <p class="small">
            No confirmed score yet: there is not enough other evidence.{' '}
            <a href="/method">How scores are made</a>
          </p>
        </div>
      </section>
    );
  }
  if (score === null) {
    return (
      <section class="notice banner little_evidence" aria-label="Verdict">
        <div>
          <p class="lead">No confirmed score yet.</p>
          <p class="small">
            This says nothing about its quality: there is not enough evidence, or no score was requested yet.{' '}
            <a href="/method">How scores are made</a>
          </p>
        </div>
      </section>
    );
  }
  const verdict = verdictOf(score);
  return (
    <section class={`notice banner ${verdict.state}`} aria-label="Verdict">
      <div>
        <VerdictMark state={verdict.state} />
        <p class="lead">{verdict.sentence}</p>
        {/* This note does not depend on the verdict, because a Warning can have little evidence too. */}
        {score.confidence < WELL_EVIDENCED_FROM && <WantedFactNote score={score} />}
        {score.contributions.length > 0 && (
          <p class="small">
            {links !== null && <>{links} · </>}
            <a href="#why">Why</a>
            {canRaise && (
              <>
                {' · '}
                <a href={`#${RAISE_ANCHOR}`}>What would raise it</a>
              </>
            )}
          </p>
        )}
      </div>
      {isDefaultScore(score.confidence, verdict.reasons) ? (
        <div>
          <p class="lead nothing">{NOT_ENOUGH_EVIDENCE}</p>
          <OnlyFacts score={score} />
          <p class="small">A paid call returns the figure and its basis: {scoreBasisOf(score).text}.</p>
        </div>
      ) : (
        <Figures score={score} compared={compared} />
      )}
    </section>
  );
}

/** Names the missing fact that would add most confidence. */
function WantedFactNote({ score }: { score: ScoreDetail }) {
  const wanted = mostWantedFact(score);
  if (wanted === null) return null;
  const label = signalLabel(wanted.signal) ?? toWords(wanted.signal);
  return (
    <p class="small">
      What would move confidence most: <ForeignText>{inSentence(label)}</ForeignText> (now not known; about +
      {formatScore(wanted.gain)} points)
    </p>
  );
}

function Figures({ score, compared }: BannerProps & { score: ScoreDetail }) {
  const { trust, confidence, lowerBound } = score;
  return (
    <div>
      <dl class="score">
        <div>
          <dt>Trust</dt>
          <dd>{formatTrust(trust)}</dd>
        </div>
        <div>
          <dt>Confidence</dt>
          <dd>{formatConfidence(confidence)}</dd>
        </div>
      </dl>
      <TrustLine trust={trust} lowerBound={lowerBound} compact={true} />
      <p class="small muted">
        likely {likelyRange(trust, lowerBound)}
        {compared !== null && compared.percentile > 0 && (
          <>
            {' · '}above {compared.percentile}% of <ForeignText>{compared.category}</ForeignText>{' '}
            {compared.type}s
          </>
        )}
      </p>
      <p class="small muted">Score basis – {scoreBasisOf(score).text}</p>
      {hasFewFacts(confidence) && <OnlyFacts score={score} />}
    </div>
  );
}

/** Returns the properties of the page layout: title, canonical URL, Open Graph metadata and style sheet. */
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

/** Signals of the listing's entry and of third-party lists. `onlyFacts` mentions these two sources first. */
const OWN_STATEMENTS: ReadonlySet<string> = new Set(['verified_listing', 'metadata', 'lists']);

/** Names the few facts behind a score that many listings share; shows nothing for creators and accounts. */
function OnlyFacts({ score }: { score: ScoreDetail }) {
  if (score.facts === null || !('parents' in score.facts)) return null;
  return <p class="small">{onlyFacts(score)}</p>;
}

function onlyFacts({ contributions, facts }: ScoreDetail): string {
  const lists = facts !== null && 'parents' in facts ? facts.lists?.value : undefined;
  const named =
    lists === undefined
      ? 'its own entry'
      : `named by ${lists === 1 ? 'one list' : `${formatCount(lists)} lists`}`;
  const others = contributions
    .filter(({ signal, status }) => status === 'observed' && !OWN_STATEMENTS.has(signal))
    .map(({ signal }) => {
      const name = inSentence(signalLabel(signal) ?? toWords(signal));
      const found = describeObserved(signal, facts);
      return found === null ? name : `${name} (${found})`;
    });
  return `Only facts: ${[named, ...others].join(', ')}.`;
}

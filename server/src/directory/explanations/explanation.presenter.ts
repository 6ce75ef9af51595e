import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import { subjectReference } from '../../catalog/subjects/subject.presenter.ts';
import type {
  ExplainedCap,
  ScoreChange,
  ScoreContribution,
  ScoreVersion,
  ScoreDifference as WireDifference,
  ScoreExplanation as WireExplanation,
} from '../../generated/types.gen.ts';
import { EMBEDDED_SOURCE } from '../../scoring/embedded/current-method.ts';
import {
  type Change,
  describeDifference,
  describeObstacle,
  type SignalChange,
} from '../../scoring/explanations/compare-scores.ts';
import type { ExplainedSignal } from '../../scoring/explanations/explain-score.ts';
import { signalLabel } from '../../scoring/explanations/signal-labels.ts';
import { improvementText } from '../../scoring/improvements/improvement-texts.ts';
import type { Cap } from '../../scoring/scoring-backend.ts';
import { containerOf, presentSuperseding } from '../agents/agent.presenter.ts';
import type { ComparedSubject, ExplainedSubject } from './explain-subject.ts';
import type { ListedVersion } from './score-versions.queries.ts';
import { isUndated, type SourceLinks, signalSource } from './signal-sources.ts';

/** Presents the explanation of a score in the API's names. */
export function presentExplanation(
  { subject, score, places, listing, superseding }: ExplainedSubject,
  publicUrls: PublicUrls,
): WireExplanation {
  const about = {
    subject: subjectReference(subject),
    container: listing && containerOf(listing),
    superseded_by: superseding && presentSuccessor(superseding),
  };
  if (score === null) return { ...about, ...NOTHING };
  const { stored, confidence, wanted } = score;
  const present = contributionPresenter(places, subject.publicPath, publicUrls);
  return {
    ...about,
    score_version: stored.version,
    current: score.isCurrent,
    source: stored.source,
    method_version: stored.methodVersion,
    extent: score.extent,
    note: noteOf(score),
    trust: {
      score: stored.trust,
      tier: stored.tier,
      lower_bound: stored.lowerBound,
      before_caps: score.raw,
      prior: score.prior === null ? null : round(score.prior),
      unexplained: round(score.unexplained),
    },
    confidence: {
      score: stored.confidence,
      evidence: confidence && round(confidence.evidence),
      prior_strength: confidence ? confidence.priorStrength : null,
      coverage: confidence ? confidence.coverage : stored.coverage,
    },
    caps: stored.caps.map(presentCap),
    contributions: score.signals.toSorted((a, b) => b.weight - a.weight).map(present),
    improvements: score.improvements.map((improvement) => ({
      action: improvement.way,
      text: improvementText(improvement, subject.type),
      points: improvement.points,
    })),
    most_wanted_fact: wanted && {
      signal: wanted.signal,
      label: labelOf(wanted.signal, null),
      confidence_points: wanted.gain,
    },
  };
}

const NOTHING = {
  score_version: null,
  current: false,
  source: null,
  method_version: null,
  extent: 'none',
  note: 'This subject has no confirmed score yet.',
  trust: null,
  confidence: null,
  caps: [],
  contributions: [],
  improvements: [],
  most_wanted_fact: null,
} satisfies Omit<WireExplanation, 'subject' | 'container' | 'superseded_by'>;

function presentSuccessor({ flags, subject }: NonNullable<ExplainedSubject['superseding']>) {
  const { as, stated } = presentSuperseding(flags) ?? { as: 'original' as const, stated: false };
  return { as, stated, subject: subjectReference(subject) };
}

function noteOf({ extent, stored, unexplained, signals }: NonNullable<ExplainedSubject['score']>) {
  const { source, methodVersion } = stored;
  if (extent === 'full') return null;
  if (source === EMBEDDED_SOURCE && extent === 'none') return 'The parts of this score are not stored.';
  const method = methodVersion === null ? 'a method that it does not name' : `its method ${methodVersion}`;
  if (extent === 'none') return `${source} made this score by ${method} and named no signals.`;
  const named = signals.length === 1 ? '1 signal' : `${signals.length} signals`;
  return `${source} made this score by ${method}. It named ${named}, but ${round(unexplained)} points of trust are not explained.`;
}

/** Presents a stored version as the history lists it. */
export function presentVersion(version: ListedVersion): ScoreVersion {
  return {
    score_version: version.version,
    trustScore: version.trust,
    confidence: version.confidence,
    tier: version.tier,
    lower_bound: version.lowerBound,
    method_version: version.methodVersion,
    source: version.source,
  };
}

/** Presents the difference of two versions in the API's names. */
export function presentDifference(
  { subject, from, to, difference, places }: ComparedSubject,
  publicUrls: PublicUrls,
): WireDifference {
  const present = contributionPresenter(places, subject.publicPath, publicUrls);
  const presentSignal = ({ signal, label, was, is, ...points }: SignalChange) => ({
    signal,
    label: labelOf(signal, label),
    points: presentChange(points),
    before: was && present(was),
    after: is && present(is),
  });
  return {
    subject: subjectReference(subject),
    from: presentVersion(from),
    to: presentVersion(to),
    summary: describeDifference(difference, { from, to }),
    note: describeObstacle(difference),
    trust: presentChange(difference.trust),
    confidence: presentChange(difference.confidence),
    signals: difference.signals.map(presentSignal),
    prior: difference.prior && presentChange(difference.prior),
    caps: presentChange(difference.caps),
    caps_before: from.caps.map(presentCap),
    caps_after: to.caps.map(presentCap),
  };
}

function presentChange({ before, after, total, parts }: Change): ScoreChange {
  return {
    before: round(before),
    after: round(after),
    change: round(total),
    causes: parts && {
      facts: round(parts.world),
      method: round(parts.method),
      time: round(parts.time),
    },
  };
}

function presentCap({ cap: name, limit, raw, final }: Cap): ExplainedCap {
  return { name, label: labelOf(name, null), limit, raw, final };
}

/** Returns a function that maps a signal to its API fields, with absolute URLs of its source. */
function contributionPresenter(places: SourceLinks, publicPath: string, { site }: PublicUrls) {
  const origin = site.href.replace(/\/$/, '');
  const absolute = (href: string) => {
    if (href.startsWith('#')) return `${origin}${publicPath}${href}`;
    return href.startsWith('/') ? `${origin}${href}` : href;
  };
  return (signal: ExplainedSignal): ScoreContribution => {
    const { source } = signal;
    const href = source === null ? null : signalSource(source, signal.signal, places).href;
    const isUndatedFact = source !== null && isUndated(source, signal.signal, places);
    return {
      signal: signal.signal,
      label: labelOf(signal.signal, signal.label),
      value: signal.value,
      observed: signal.found,
      weight: signal.weight,
      points: signal.points,
      confidence_points: signal.confidencePoints === null ? null : round(signal.confidencePoints),
      evidence: signal.evidence,
      status: signal.status,
      source,
      address: href === null ? null : absolute(href),
      observed_at: isUndatedFact ? null : signal.observedAt,
      ...(isUndatedFact && signal.observedAt !== null && { ages_from: signal.observedAt }),
      reason: signal.reason,
    };
  };
}

/** Returns the label of a signal or cap. If a remote backend's signal has no label, returns its name with spaces. */
function labelOf(name: string, label: string | null): string {
  return label ?? signalLabel(name) ?? (name.replaceAll('_', ' ').trim() || 'unnamed');
}

/** Rounds to four decimals, the precision of stored points. Returns 0 instead of -0. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000 || 0;
}

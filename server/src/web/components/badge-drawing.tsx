import type { Tier } from '../../scoring/scoring-backend.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';
import { formatConfidence, formatDay, formatTrust, Snippet } from './formatting.tsx';
import { NOT_ENOUGH_EVIDENCE, verdictLabel } from './score-figures.tsx';
import { renderMarkup } from './send-html.ts';

/** Score of a subject as badges and link previews show it. */
export interface BadgeScore {
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  verdict: VerdictState;
  /** True if nothing was observed: the figures are only the method's defaults and are not shown. */
  restsOnDefaults: boolean;
  /** Time of the score, ISO 8601. */
  version: string;
}

/** Parts of a score that the badge itself shows. */
export type BadgeFigures = Pick<BadgeScore, 'trust' | 'confidence' | 'verdict' | 'restsOnDefaults'>;

/** Background colours of badges by verdict. White text on each has a contrast of at least 4.5. */
export const BADGE_COLOURS = {
  verified: '0b6b66',
  well_evidenced: '0b6b66',
  little_evidence: '565f68',
  warning: '8a3b2a',
  none: '565f68',
} as const;
const LABEL_WIDTH = 46;
const HEIGHT = 22;
const CORNER_RADIUS = 5;

/** Returns the text to the right of the badge's label "trust". */
function badgeMessage(score: BadgeFigures | null): string {
  if (score === null) return 'no score yet';
  if (score.restsOnDefaults) return NOT_ENOUGH_EVIDENCE.toLowerCase();
  return `${formatTrust(score.trust)} · ${verdictLabel(score.verdict).toLowerCase()}`;
}

/** Returns the badge's title. It is the badge's text, with the confidence if the badge shows a score. */
function badgeTitle(score: BadgeFigures | null): string {
  if (score === null || score.restsOnDefaults) return badgeMessage(score);
  const { trust, confidence, verdict } = score;
  return `${formatTrust(trust)}, confidence ${formatConfidence(confidence)}, ${verdictLabel(verdict).toLowerCase()}`;
}

/** Draws a badge as SVG of less than 1.5 KiB, for light and dark pages. */
export function badgeSvg(score: BadgeScore | null): string {
  const date = score === null ? '' : `, ${formatDay(score.version)}`;
  return drawBadge(badgeMessage(score), score?.verdict ?? 'none', `${badgeTitle(score)}${date}`);
}

/** Draws the badge of an unknown subject. */
export function unknownBadgeSvg(): string {
  return drawBadge('not listed', 'none');
}

const DELISTED = 'delisted';

/** Draws the badge of a subject that the operator delisted. */
export function delistedBadgeSvg(): string {
  return drawBadge(DELISTED, 'none');
}

/** Returns the badge of a delisted subject for services that draw badges (shields.io's endpoint schema). */
export function delistedBadgeJson(): object {
  return { schemaVersion: 1, label: 'trust', message: DELISTED, color: BADGE_COLOURS.none, isError: true };
}

/** Returns a score for services that draw badges (shields.io's endpoint schema). */
export function badgeJson(score: BadgeScore | null): object {
  return {
    schemaVersion: 1,
    label: 'trust',
    message: badgeMessage(score),
    color: BADGE_COLOURS[score?.verdict ?? 'none'],
    ...(score === null ? {} : { scoreVersion: score.version }),
  };
}

function drawBadge(message: string, colour: keyof typeof BADGE_COLOURS, told = message): string {
  return renderMarkup(<Drawing message={message} colour={colour} title={`trust ${told}`} />);
}

/** Shows a score's badge within a page. */
function BadgeDrawing({ score }: { score: BadgeFigures | null }) {
  const colour = score?.verdict ?? 'none';
  return <Drawing message={badgeMessage(score)} colour={colour} title={`trust ${badgeTitle(score)}`} />;
}

interface DrawingProps {
  message: string;
  colour: keyof typeof BADGE_COLOURS;
  title: string;
}

function Drawing({ message, colour, title }: DrawingProps) {
  // Also set `textLength`, so that the text has this width in every font.
  const textWidth = Math.round(widthOf(message));
  const width = LABEL_WIDTH + textWidth + 20;
  const font = { 'font-family': 'Verdana,DejaVu Sans,sans-serif', 'font-size': '11', fill: '#fff' };
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={HEIGHT} role="img" aria-label={title}>
      <title>{title}</title>
      <rect width={width} height={HEIGHT} rx={CORNER_RADIUS} fill="#1c2024" />
      <path
        d={`M${LABEL_WIDTH} 0H${width - CORNER_RADIUS}a${CORNER_RADIUS} ${CORNER_RADIUS} 0 0 1 ${CORNER_RADIUS} ${CORNER_RADIUS}v${HEIGHT - 2 * CORNER_RADIUS}a${CORNER_RADIUS} ${CORNER_RADIUS} 0 0 1 -${CORNER_RADIUS} ${CORNER_RADIUS}H${LABEL_WIDTH}z`}
        fill={`#${BADGE_COLOURS[colour]}`}
      />
      <g {...font}>
        <text x="9" y="15" textLength={LABEL_WIDTH - 18}>
          trust
        </text>
        <text x={LABEL_WIDTH + 10} y="15" textLength={textWidth}>
          {message}
        </text>
      </g>
    </svg>
  );
}

/** Estimates the width of a text in 11 px Verdana. */
function widthOf(text: string): number {
  const widths = [...text].map((character) =>
    /[il.]/.test(character) ? 3.6 : /[ ·ft]/.test(character) ? 4.2 : /[mw]/.test(character) ? 9.6 : 6.9,
  );
  return widths.reduce((sum, width) => sum + width, 0);
}

/** Returns the path of a subject's badge; `id` is an `AGT-` id or a canonical id. */
function badgePath(type: SubjectType, id: string): string {
  return `/badge/${type}/${id}.svg`;
}

/** Returns the path of a subject's link preview. */
export function cardPath(type: SubjectType, id: string): string {
  return `/badge/${type}/${id}/card.png`;
}

interface BadgeCardProps {
  type: SubjectType;
  /** `AGT-` id or canonical id of the subject. */
  id: string;
  /** Score to show; null if the subject has no confirmed score. */
  score: BadgeFigures | null;
  /** Path of the subject's page. */
  publicPath: string;
  /** Origin of this directory, without a trailing slash. */
  site: string;
}

/** Shows the badge on a light and on a dark background, with code to paste. */
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

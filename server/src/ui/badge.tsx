import type { Tier } from '../scoring/scoring-backend.ts';
import type { VerdictState } from '../scoring/verdict/verdict.ts';
import { renderMarkup } from './render-markup.ts';
import { formatConfidence, formatDay, formatTrust } from './text.tsx';
import { NOT_ENOUGH } from './trust-figures.tsx';
import { verdictWord } from './verdict-mark.tsx';

/** A subject's score as badges and cards show it; null without a confirmed one. */
export interface BadgeScore {
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  verdict: VerdictState;
  /** Its figures are shared by thousands: they are not shown. */
  restsOnDefaults: boolean;
  /** ISO 8601. */
  version: string;
}

/** What of it stands on the badge itself. */
export type ShownBadge = Pick<BadgeScore, 'trust' | 'confidence' | 'verdict' | 'restsOnDefaults'>;

/** By verdict. White text on each of them has a contrast of at least 4.5. */
export const COLOURS = {
  verified: '0b6b66',
  well_evidenced: '0b6b66',
  little_evidence: '565f68',
  warning: '8a3b2a',
  none: '565f68',
} as const;
const LABEL_WIDTH = 46;
const HEIGHT = 22;
const ROUND = 5;

/** What a badge says beside its label. */
function badgeMessage(score: ShownBadge | null): string {
  if (score === null) return 'no score yet';
  if (score.restsOnDefaults) return NOT_ENOUGH.toLowerCase();
  return `${formatTrust(score.trust)} · ${verdictWord(score.verdict).toLowerCase()}`;
}

/** The same with what a badge has no room for. */
function badgeTitle(score: ShownBadge | null): string {
  if (score === null || score.restsOnDefaults) return badgeMessage(score);
  const { trust, confidence, verdict } = score;
  return `${formatTrust(trust)}, confidence ${formatConfidence(confidence)}, ${verdictWord(verdict).toLowerCase()}`;
}

/** A badge as SVG of less than 1.5 KiB, the same on a light and a dark page. */
export function badgeSvg(score: BadgeScore | null): string {
  const date = score === null ? '' : `, ${formatDay(score.version)}`;
  return drawBadge(badgeMessage(score), score?.verdict ?? 'none', `${badgeTitle(score)}${date}`);
}

/** The badge of a subject that is not known here. */
export function unknownBadgeSvg(): string {
  return drawBadge('not listed', 'none');
}

const DELISTED = 'delisted';

/** The badge of a subject that the operator took out of the directory. */
export function delistedBadgeSvg(): string {
  return drawBadge(DELISTED, 'none');
}

/** The same for services that draw badges of their own. */
export function delistedBadgeJson(): object {
  return { schemaVersion: 1, label: 'trust', message: DELISTED, color: COLOURS.none, isError: true };
}

/** A score for services that draw badges of their own (shields.io's endpoint schema). */
export function badgeJson(score: BadgeScore | null): object {
  return {
    schemaVersion: 1,
    label: 'trust',
    message: badgeMessage(score),
    color: COLOURS[score?.verdict ?? 'none'],
    ...(score === null ? {} : { scoreVersion: score.version }),
  };
}

function drawBadge(message: string, colour: keyof typeof COLOURS, told = message): string {
  return renderMarkup(<Drawing message={message} colour={colour} title={`trust ${told}`} />);
}

/** A score's badge within a page. */
export function BadgeDrawing({ score }: { score: ShownBadge | null }) {
  const colour = score?.verdict ?? 'none';
  return <Drawing message={badgeMessage(score)} colour={colour} title={`trust ${badgeTitle(score)}`} />;
}

interface DrawingProps {
  message: string;
  colour: keyof typeof COLOURS;
  title: string;
}

function Drawing({ message, colour, title }: DrawingProps) {
  // Told to the text too, so that it fits in whatever font a reader has.
  const textWidth = Math.round(widthOf(message));
  const width = LABEL_WIDTH + textWidth + 20;
  const font = { 'font-family': 'Verdana,DejaVu Sans,sans-serif', 'font-size': '11', fill: '#fff' };
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={HEIGHT} role="img" aria-label={title}>
      <title>{title}</title>
      <rect width={width} height={HEIGHT} rx={ROUND} fill="#1c2024" />
      <path
        d={`M${LABEL_WIDTH} 0H${width - ROUND}a${ROUND} ${ROUND} 0 0 1 ${ROUND} ${ROUND}v${HEIGHT - 2 * ROUND}a${ROUND} ${ROUND} 0 0 1 -${ROUND} ${ROUND}H${LABEL_WIDTH}z`}
        fill={`#${COLOURS[colour]}`}
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

/** In 11 px Verdana, near enough. */
function widthOf(text: string): number {
  const widths = [...text].map((character) =>
    /[il.]/.test(character) ? 3.6 : /[ ·ft]/.test(character) ? 4.2 : /[mw]/.test(character) ? 9.6 : 6.9,
  );
  return widths.reduce((sum, width) => sum + width, 0);
}

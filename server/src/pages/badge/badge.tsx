import type { Tier } from '../../scoring/scoring-backend.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';
import { renderMarkup } from '../../ui/render-markup.ts';
import { formatConfidence, formatDay, formatTrust } from '../../ui/text.tsx';
import { NOT_ENOUGH } from '../../ui/trust-figures.tsx';
import { verdictWord } from '../../ui/verdict-mark.tsx';

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

/** What a badge says beside its label. */
function badgeMessage(score: BadgeScore | null): string {
  if (score === null) return 'no score yet';
  if (score.restsOnDefaults) return NOT_ENOUGH.toLowerCase();
  return `${formatTrust(score.trust)} · ${verdictWord(score.verdict).toLowerCase()}`;
}

/** The same with what a badge has no room for. */
function badgeTitle(score: BadgeScore | null): string {
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
  // Told to the text too, so that it fits in whatever font a reader has.
  const textWidth = Math.round(widthOf(message));
  const width = LABEL_WIDTH + textWidth + 20;
  const title = `trust ${told}`;
  const font = { 'font-family': 'Verdana,DejaVu Sans,sans-serif', 'font-size': '11', fill: '#fff' };
  return renderMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={HEIGHT} role="img" aria-label={title}>
      <title>{title}</title>
      <clipPath id="r">
        <rect width={width} height={HEIGHT} rx="5" />
      </clipPath>
      <g clip-path="url(#r)">
        <rect width={LABEL_WIDTH} height={HEIGHT} fill="#1c2024" />
        <rect x={LABEL_WIDTH} width={width - LABEL_WIDTH} height={HEIGHT} fill={`#${COLOURS[colour]}`} />
      </g>
      <g {...font}>
        <text x="9" y="15" textLength={LABEL_WIDTH - 18}>
          trust
        </text>
        <text x={LABEL_WIDTH + 10} y="15" textLength={textWidth}>
          {message}
        </text>
      </g>
    </svg>,
  );
}

/** In 11 px Verdana, near enough. */
function widthOf(text: string): number {
  const widths = [...text].map((character) =>
    /[il.]/.test(character) ? 3.6 : /[ ·ft]/.test(character) ? 4.2 : /[mw]/.test(character) ? 9.6 : 6.9,
  );
  return widths.reduce((sum, width) => sum + width, 0);
}

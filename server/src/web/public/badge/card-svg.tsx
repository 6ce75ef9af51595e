import { isVisible, withoutBidiControls } from '../../../platform/text/request-text.ts';
import { METHOD } from '../../../scoring/embedded/current-method.ts';
import { BADGE_COLOURS, type BadgeScore } from '../../components/badge-drawing.tsx';
import { formatConfidence, formatDay, formatTrust } from '../../components/formatting.tsx';
import { NOT_ENOUGH_EVIDENCE, VerdictShape, verdictLabel } from '../../components/score-figures.tsx';
import { renderMarkup } from '../../components/send-html.ts';

interface CardSubject {
  /** Subject type with spaces, such as `social account`. */
  kind: string;
  name: string;
  /** Path of the subject's page. */
  path: string;
}

const LEFT = 80;
const LINE_WIDTH = 1040;
const LINE_Y = 490;
const MAX_FONT_SIZE = 56;
const MIN_FONT_SIZE = 34;
/** Matches characters outside the scripts that the picture shows, because the font lacks most of them. */
const UNSUPPORTED_CHARACTERS =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Common}\p{Script=Inherited}]/gu;

function supported(text: string): string {
  return text.replaceAll(UNSUPPORTED_CHARACTERS, '');
}

/**
 * Draws the link preview of a subject, 1200 by 630 pixels: name, verdict, trust, confidence, trust line and date. Leaves
 * out the figures if they are only defaults.
 */
export function cardSvg({ kind, name, path }: CardSubject, score: BadgeScore | null): string {
  const decoded = decodeURIComponent(path);
  const address = supported(decoded) === decoded ? decoded : path;
  const drawn = supported(withoutBidiControls(name)).trim();
  const title = fitTitle(isVisible(drawn) ? drawn : address);
  return renderMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630" role="img">
      <title>{name}</title>
      <rect width="1200" height="630" fill="#fbfaf7" />
      <g font-family="DejaVu Sans,Verdana,sans-serif" fill="#565f68" font-size="30">
        <text x={LEFT} y="110">
          {shorten(`${kind} · ${address}`, LINE_WIDTH / (30 * LETTER_WIDTH))}
        </text>
        <text x={LEFT} y="190" font-size={title.size} font-weight="700" fill="#1c2024">
          {title.text}
        </text>
        {score === null ? (
          <text x={LEFT} y="330">
            No confirmed score yet
          </text>
        ) : (
          <Score score={score} />
        )}
        <text x={LEFT} y="580" font-weight="700" fill="#0b6b66">
          Trust Directory
        </text>
        {score !== null && (
          <text x={LEFT + LINE_WIDTH} y="580" text-anchor="end">
            {formatDay(score.version)}
          </text>
        )}
      </g>
    </svg>,
  );
}

/** Estimated width of a letter, as a fraction of the font size. */
const LETTER_WIDTH = 0.62;
const BOLD_LETTER_WIDTH = 0.72;

/** Chooses the largest font size at which the title fits on one line. If even the smallest is too large, truncates the title. */
function fitTitle(text: string): { text: string; size: number } {
  const size = Math.floor(LINE_WIDTH / ([...text].length * BOLD_LETTER_WIDTH));
  if (size >= MIN_FONT_SIZE) return { text, size: Math.min(size, MAX_FONT_SIZE) };
  return { text: shorten(text, LINE_WIDTH / (MIN_FONT_SIZE * BOLD_LETTER_WIDTH)), size: MIN_FONT_SIZE };
}

function shorten(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length > maxLength ? `${characters.slice(0, Math.floor(maxLength) - 1).join('')}…` : text;
}

function Score({ score }: { score: BadgeScore }) {
  const colour = `#${BADGE_COLOURS[score.verdict]}`;
  return (
    <>
      <g
        transform={`translate(${LEFT} 244) scale(2.6)`}
        {...{ color: colour }}
        fill="none"
        stroke={colour}
        stroke-width="1.5"
      >
        <VerdictShape state={score.verdict} />
      </g>
      <text x={LEFT + 58} y="278" font-size="40" font-weight="700" fill={colour}>
        {verdictLabel(score.verdict)}
      </text>
      {score.restsOnDefaults ? (
        <text x={LEFT} y="370" font-size="44" fill="#1c2024">
          {NOT_ENOUGH_EVIDENCE}
        </text>
      ) : (
        <Figures score={score} />
      )}
    </>
  );
}

function Figures({ score: { trust, confidence, lowerBound } }: { score: BadgeScore }) {
  const at = (points: number) => LEFT + (LINE_WIDTH * points) / 100;
  const figures = [
    [formatTrust(trust), 'trust'],
    [formatConfidence(confidence), 'confidence'],
  ] as const;
  return (
    <>
      {figures.map(([figure, name], place) => (
        <g key={name}>
          <text x={LEFT + 300 * place} y="380" font-size="72" font-weight="700" fill="#1c2024">
            {figure}
          </text>
          <text x={LEFT + 300 * place} y="424">
            {name}
          </text>
        </g>
      ))}
      <g stroke="#8a857a" stroke-width="4">
        <path d={`M${LEFT},${LINE_Y}h${LINE_WIDTH}`} />
        {[0, METHOD.tiers.medium, METHOD.tiers.high, 100].map((bound) => (
          <path key={bound} d={`M${at(bound)},${LINE_Y + 18}v12`} />
        ))}
      </g>
      <g font-size="20" text-anchor="middle">
        {[METHOD.tiers.medium, METHOD.tiers.high].map((bound) => (
          <text key={bound} x={at(bound)} y={LINE_Y + 52}>
            {bound}
          </text>
        ))}
      </g>
      <path
        d={`M${at(Math.min(lowerBound, trust))},${LINE_Y}H${at(Math.min(100, Math.max(trust, 2 * trust - lowerBound)))}`}
        stroke="#0b6b66"
        stroke-width="26"
        stroke-linecap="round"
        opacity=".35"
      />
      <circle cx={at(trust)} cy={LINE_Y} r="16" fill="#0b6b66" />
    </>
  );
}

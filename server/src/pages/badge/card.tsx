import { METHOD } from '../../scoring/embedded/rs-1.0.0.ts';
import { isVisible, withoutTurns } from '../../subjects/shown-name.ts';
import { type BadgeScore, COLOURS } from '../../ui/badge.tsx';
import { renderMarkup } from '../../ui/render-markup.ts';
import { formatConfidence, formatDay, formatTrust } from '../../ui/text.tsx';
import { NOT_ENOUGH } from '../../ui/trust-figures.tsx';
import { VerdictShape, verdictWord } from '../../ui/verdict-mark.tsx';

interface CardSubject {
  /** In words. */
  kind: string;
  name: string;
  /** Path of its page. */
  path: string;
}

const LEFT = 80;
const LENGTH = 1040;
const MIDDLE = 490;
const LARGEST_LETTERS = 56;
const SMALLEST_LETTERS = 34;
/** What the font has that the pictures are drawn with; an address is always within it. */
const NOT_DRAWN =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Common}\p{Script=Inherited}]/gu;

/** The picture of a subject for shared links: 1200 by 630, its name, the verdict, its two scores, its trust line, their date. */
export function cardSvg({ kind, name, path }: CardSubject, score: BadgeScore | null): string {
  const address = decodeURIComponent(path);
  const drawn = withoutTurns(name).replaceAll(NOT_DRAWN, '').trim();
  const title = fit(isVisible(drawn) ? drawn : address);
  return renderMarkup(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630" role="img">
      <title>{name}</title>
      <rect width="1200" height="630" fill="#fbfaf7" />
      <g font-family="DejaVu Sans,Verdana,sans-serif" fill="#565f68" font-size="30">
        <text x={LEFT} y="110">
          {shorten(`${kind} · ${address}`, LENGTH / (30 * WIDTH))}
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
          <text x={LEFT + LENGTH} y="580" text-anchor="end">
            {formatDay(score.version)}
          </text>
        )}
      </g>
    </svg>,
  );
}

/** Of a letter, in parts of its height: bold letters of that font are wider than most. */
const WIDTH = 0.62;
const BOLD_WIDTH = 0.72;

/** A title in letters as large as the line allows, cut where even small ones would not do. */
function fit(text: string): { text: string; size: number } {
  const size = Math.floor(LENGTH / ([...text].length * BOLD_WIDTH));
  if (size >= SMALLEST_LETTERS) return { text, size: Math.min(size, LARGEST_LETTERS) };
  return { text: shorten(text, LENGTH / (SMALLEST_LETTERS * BOLD_WIDTH)), size: SMALLEST_LETTERS };
}

function shorten(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, Math.floor(most) - 1).join('')}…` : text;
}

function Score({ score }: { score: BadgeScore }) {
  const colour = `#${COLOURS[score.verdict]}`;
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
        {verdictWord(score.verdict)}
      </text>
      {score.restsOnDefaults ? (
        <text x={LEFT} y="370" font-size="44" fill="#1c2024">
          {NOT_ENOUGH}
        </text>
      ) : (
        <Figures score={score} />
      )}
    </>
  );
}

function Figures({ score: { trust, confidence, lowerBound } }: { score: BadgeScore }) {
  const at = (points: number) => LEFT + (LENGTH * points) / 100;
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
        <path d={`M${LEFT},${MIDDLE}h${LENGTH}`} />
        {[0, METHOD.tiers.medium, METHOD.tiers.high, 100].map((bound) => (
          <path key={bound} d={`M${at(bound)},${MIDDLE + 18}v12`} />
        ))}
      </g>
      <g font-size="20" text-anchor="middle">
        {[METHOD.tiers.medium, METHOD.tiers.high].map((bound) => (
          <text key={bound} x={at(bound)} y={MIDDLE + 52}>
            {bound}
          </text>
        ))}
      </g>
      <path
        d={`M${at(Math.min(lowerBound, trust))},${MIDDLE}H${at(Math.min(100, Math.max(trust, 2 * trust - lowerBound)))}`}
        stroke="#0b6b66"
        stroke-width="26"
        stroke-linecap="round"
        opacity=".35"
      />
      <circle cx={at(trust)} cy={MIDDLE} r="16" fill="#0b6b66" />
    </>
  );
}

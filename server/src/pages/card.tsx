import { renderToString } from 'preact-render-to-string';
import { METHOD } from '../scoring/embedded/rs-1.0.0.ts';
import type { BadgeScore } from './badge.tsx';
import { formatDay, formatScore } from './views/text.tsx';

interface CardSubject {
  /** In words. */
  kind: string;
  name: string;
}

const LEFT = 80;
const LENGTH = 1040;
const MIDDLE = 470;
const LONGEST_NAME = 34;

/** The picture of a subject for shared links: 1200 by 630, its name, its two scores, its trust line. */
export function cardSvg({ kind, name }: CardSubject, score: BadgeScore | null): string {
  const characters = [...name];
  const shown =
    characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME - 1).join('')}…` : name;
  return renderToString(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630" role="img">
      <title>{name}</title>
      <rect width="1200" height="630" fill="#fbfaf7" />
      <g font-family="Segoe UI,Helvetica,DejaVu Sans,sans-serif" fill="#565f68" font-size="30">
        <text x={LEFT} y="110">
          {kind}
        </text>
        <text x={LEFT} y="190" font-size="56" font-weight="700" fill="#1c2024">
          {shown}
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

function Score({ score: { trust, confidence, lowerBound, tier } }: { score: BadgeScore }) {
  const at = (points: number) => LEFT + (LENGTH * points) / 100;
  const figures = [
    [formatScore(trust), 'trust'],
    [formatScore(confidence), 'confidence'],
    [tier, 'tier'],
  ] as const;
  return (
    <>
      {figures.map(([figure, name], place) => (
        <g key={name}>
          <text x={LEFT + 300 * place} y="330" font-size="84" font-weight="700" fill="#1c2024">
            {figure}
          </text>
          <text x={LEFT + 300 * place} y="378">
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

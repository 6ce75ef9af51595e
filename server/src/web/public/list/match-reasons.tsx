import type { ComponentChildren } from 'preact';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import type {
  FoundTerm,
  MatchExplanation,
  MatchPlace,
  TermMatch,
} from '../../../directory/search/explain-match.ts';
import type { TextRange } from '../../../directory/search/locate-terms.ts';
import { ForeignText, formatCompact } from '../../components/formatting.tsx';

/** Approximate number of characters of a description that its single line in a row can show. */
const SHOWN_DESCRIPTION = 100;

const PLACE_PHRASES: Readonly<Record<Exclude<MatchPlace, 'name'>, string>> = {
  topics: 'in its topics',
  creator: "in its maker's name",
  inside: 'inside its repository',
  description: 'in its description',
};

/** Places where a word may be found, in the order in which they are named, most significant first. */
const NAMED_PLACES = ['topics', 'creator', 'inside', 'description'] as const;

interface MatchReasonsProps {
  agent: ListedAgent;
  explanation: MatchExplanation;
}

/**
 * Explains in one line why a search found this entry. The line has the entry's stars, the places of words that the row
 * does not mark, whether all words match, and whether the owner published the entry in the MCP registry.
 */
export function MatchReasons({ agent, explanation }: MatchReasonsProps) {
  const { stars } = agent.record;
  const { terms, matchesAll } = explanation;
  const hidden = terms.flatMap((term) => hiddenIn(term) ?? []);
  const reasons: ComponentChildren[] = [
    ...(stars === null ? [] : [starsText(stars)]),
    ...NAMED_PLACES.flatMap((place) => {
      const texts = hidden.filter((found) => found.place === place).map(({ text }) => text);
      return texts.length === 0 ? [] : [<Words texts={texts} where={PLACE_PHRASES[place]} />];
    }),
    ...(matchesAll && terms.length > 1 ? ['matches all words'] : []),
    ...(agent.isOfficial ? ['published by its owner in the MCP registry'] : []),
    ...(stars === null ? ['stars not known'] : []),
  ];
  return (
    <p class="why small muted">
      {reasons.map((reason, at) => (
        <>
          {at > 0 && ' · '}
          {reason}
        </>
      ))}
    </p>
  );
}

/** Formats a number of stars: "175k stars". */
export function starsText(stars: number): string {
  return `${formatCompact(stars)} ${stars === 1 ? 'star' : 'stars'}`;
}

/** Returns the most significant place of a term that the row does not visibly mark; null for any other term. */
function hiddenIn({ found }: TermMatch): FoundTerm | null {
  const isShown = found.some(
    ({ place, at }) => place === 'name' || (place === 'description' && at < SHOWN_DESCRIPTION),
  );
  return isShown
    ? null
    : (NAMED_PLACES.map((place) => found.find((each) => each.place === place)).find(Boolean) ?? null);
}

function Words({ texts, where }: { texts: readonly string[]; where: string }) {
  return (
    <>
      {[...new Set(texts)].map((text, at) => (
        <>
          {at > 0 && ', '}
          <b key={text}>
            <ForeignText>{text}</ForeignText>
          </b>
        </>
      ))}{' '}
      {where}
    </>
  );
}

interface MarkedTextProps {
  text: string;
  /** Parts to mark, in order, without overlap. */
  marks: readonly TextRange[];
}

/** Shows a foreign text with some of its parts marked. */
export function MarkedText({ text, marks }: MarkedTextProps) {
  let end = 0;
  const parts = marks.map(({ from, to }) => {
    const before = text.slice(end, from);
    end = to;
    return (
      <>
        {before}
        <mark key={from}>{text.slice(from, to)}</mark>
      </>
    );
  });
  return (
    <ForeignText>
      {parts}
      {text.slice(end)}
    </ForeignText>
  );
}

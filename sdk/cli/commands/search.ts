import type { Agent, AgentPage, AgentQuery } from '../../src/index.ts';
import { CATEGORIES, LISTING_TYPES, SORTS, TIERS, VERDICTS } from '../allowed-values.ts';
import { collectPages, LIST_OPTIONS } from '../collect-pages.ts';
import type { Command, OptionSpec, ParsedOptions } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { STYLE_OF_TIER } from '../format-score.ts';
import { textOption } from '../read-command-line.ts';
import { flow, type Page, paragraph } from '../text/layout.ts';

type Filter = Exclude<
  keyof AgentQuery,
  'q' | 'sort' | 'limit' | 'offset' | 'cursor' | 'facets' | 'updatedSince'
>;

/** One option for each filter of the contract, except `updatedSince`. An option without a value sends `true`. */
const FILTER_OPTIONS: Readonly<Record<Filter, OptionSpec>> = {
  tier: { value: 'TIER', words: TIERS, description: 'only this tier' },
  category: { value: 'CATEGORY', words: CATEGORIES, description: 'only this category' },
  type: { value: 'TYPE', words: LISTING_TYPES, description: 'only agents, or only skills' },
  kind: { value: 'KIND', description: 'only this kind, such as mcp-server or plugin' },
  license: { value: 'LICENSE', description: 'only under this license, such as MIT' },
  tag: { value: 'TAG', description: 'only with this tag' },
  verdict: { value: 'VERDICT', words: VERDICTS, description: 'only with this verdict, such as warning' },
  verified: { description: 'only entries of verified creators' },
};

/** Searches agents and skills. Free, without a key. */
export const search: Command = {
  name: 'search',
  argument: '[words]',
  argumentCount: [0, 100],
  summary: 'Search agents and skills, best trust first. Free.',
  options: {
    ...FILTER_OPTIONS,
    'updated-since': { value: 'MOMENT', description: 'only what has changed or was scored since' },
    sort: { value: 'ORDER', words: SORTS, description: 'sort order' },
    ...LIST_OPTIONS,
  },
  examples: [
    ['trust-directory search browser automation', 'By words'],
    ['trust-directory search --category coding --tier high --limit 5', 'The best of a category'],
    ['trust-directory search --kind mcp-server --tag browser --sort stars', 'The most starred of a kind'],
    ["trust-directory search mcp --limit 500 --json | jq -r '.data[].repositoryUrl'", 'For a script'],
  ],
  async run({ words, options, output, signal, client }) {
    const { agents } = await client();
    const query = queryOf(words, options);
    const found = await collectPages((page) => agents.list({ ...query, ...page }, { signal }), options);
    output.result(found, pageLines);
    return EXIT.ok;
  },
};

function queryOf(words: readonly string[], options: ParsedOptions): AgentQuery {
  const filters = Object.keys(FILTER_OPTIONS).map((name) => [name, options[name]]);
  // The service validates values, which may be newer than this program.
  return {
    q: words.join(' ') || undefined,
    ...(Object.fromEntries(filters) as Pick<AgentQuery, Filter>),
    updatedSince: textOption(options, 'updated-since'),
    sort: textOption(options, 'sort') as AgentQuery['sort'],
  };
}

function pageLines(found: AgentPage, page: Page): string[] {
  const { data, ignoredWords = [], nearest = [] } = found;
  const ignored = ignoredWords.map(({ word }) => `"${word}"`).join(', ');
  return [
    ...data.flatMap((agent) => agentLines(agent, page)),
    ...paragraph(summaryOf(found), page, 'dim'),
    ...(ignored === '' ? [] : paragraph(`Not looked for: ${ignored}.`, page, 'dim')),
    ...(nearest.length === 0 ? [] : paragraph('Nearest entries:', page)),
    ...nearest.flatMap((agent) => agentLines(agent, page)),
  ];
}

/**
 * Returns how many entries were found and how many of them are shown. A total that is a lower bound has a plus sign.
 */
function summaryOf({ data, total, totalIsLowerBound = false, nextCursor }: AgentPage): string {
  if (total === 0) return 'Nothing matches. Try fewer words or filters.';
  const shown = data.length.toLocaleString('en');
  if (data.length >= total && nextCursor === null) return `${shown} found.`;
  // With a high limit, more entries may have been read than the lower bound on the first page says.
  const known = Math.max(total, data.length).toLocaleString('en');
  return `${shown} of ${known}${totalIsLowerBound ? '+' : ''} shown.`;
}

function agentLines(agent: Agent, page: Page): string[] {
  const { id, type, name, trustScore, confidence, tier, creator, verified } = agent;
  const score =
    trustScore === null
      ? 'not scored'
      : `trust ${trustScore.toFixed(1)}, confidence ${confidence === null ? '?' : confidence.toFixed(1)}`;
  const style = trustScore === null ? 'dim' : STYLE_OF_TIER.get(tier);
  return [
    ...flow([[name, 'bold'], [`by ${creator.handle}${verified ? ' (verified)' : ''}`]], page),
    ...flow([[id, 'cyan'], [type], style ? [score, style] : [score]], page, 2),
  ];
}

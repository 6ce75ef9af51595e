import type { FastifyInstance } from 'fastify';
import { CATEGORIES } from '../../../catalog/listings/listing-row.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { AgentRecord } from '../../../directory/agents/agent-record.ts';
import { getAgents } from '../../../directory/agents/get-agent.ts';
import { linkAgents } from '../../../directory/lists/link-agents.ts';
import { listAgents } from '../../../directory/lists/list-agents.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import type { ShapedRequest } from '../../../platform/http/contract/validation.ts';
import type { VerdictState } from '../../../scoring/verdict/verdict.ts';
import { sendHtml } from '../../components/send-html.ts';
import { type PageDependencies, PUBLIC_ROUTE } from '../frame/page-dependencies.ts';
import { isListQuery, LIST_PATH, parseListQuery } from '../list/page-links.tsx';
import { type BoundedCount, type HomePage, homeDocument, type ShortList } from './home.page.tsx';
import {
  type CategoryTotal,
  findExamples,
  MAX_COUNTED,
  readCategoryTotals,
  readHomeFigures,
} from './home.queries.ts';

const LIST_LENGTH = 5;

/** Short lists of the home page. `asked` has the filters and order of the full list. */
const LISTS: readonly Omit<ShortList, 'agents'>[] = [
  { title: 'Popular', asked: { sort: 'stars' }, fact: 'stars' },
  { title: 'New', asked: { sort: 'newest' }, fact: 'listed' },
  { title: 'Latest commits', asked: { sort: 'updated' }, fact: 'commit' },
  { title: 'Verified', asked: { verified: true, sort: 'stars' }, fact: 'trust' },
];

const NEWEST = LISTS.findIndex(({ asked }) => asked.sort === 'newest');

/** Verdict states of the examples, best first. */
const EXAMPLE_STATES: readonly VerdictState[] = ['verified', 'well_evidenced', 'little_evidence', 'warning'];

const MAX_EXAMPLES = 3;

/** Loads the data of the home page with about a dozen statements, which are fast in a directory of any size. */
async function loadHomePage(connection: Connection, publicUrls: PublicUrls): Promise<HomePage> {
  const totals = await readCategoryTotals(connection);
  const { creators, artifacts, checkedAt, now } = await readHomeFigures(connection);
  const heads: AgentRecord[][] = [];
  for (const { asked } of LISTS) {
    const { agents } = await listAgents(connection, { ...parseListQuery({}), ...asked, limit: LIST_LENGTH });
    heads.push(agents);
  }
  const examples = await loadExamples(connection);
  const linked = await linkAgents(connection, [...examples, ...heads.flat()], publicUrls);
  const byId = new Map(linked.map((agent) => [agent.record.subjectId, agent]));
  const linkedOf = (records: readonly AgentRecord[]) =>
    records.flatMap(({ subjectId }) => byId.get(subjectId) ?? []);
  return {
    ...toCounts(totals),
    creators: toCounted(creators),
    artifacts: toCounted(artifacts),
    checkedAt,
    addedAt: heads[NEWEST]?.[0]?.listedAt.toISOString() ?? null,
    now,
    examples: linkedOf(examples),
    lists: LISTS.map((list, place) => ({ ...list, agents: linkedOf(heads[place] ?? []) })),
  };
}

/** Chooses up to three example listings, with different verdict states if possible. */
async function loadExamples(connection: Connection): Promise<AgentRecord[]> {
  const found = await findExamples(connection);
  const firsts = EXAMPLE_STATES.flatMap((state) => found.find((each) => each.state === state) ?? []);
  // If there are examples of all four states, leave out `well_evidenced`, because the page shows only three.
  const shown =
    firsts.length > MAX_EXAMPLES ? firsts.filter(({ state }) => state !== 'well_evidenced') : firsts;
  const seconds = EXAMPLE_STATES.flatMap((state) => found.filter((each) => each.state === state).slice(1));
  const ids = [...shown, ...seconds]
    .slice(0, MAX_EXAMPLES)
    .sort((one, other) => EXAMPLE_STATES.indexOf(one.state) - EXAMPLE_STATES.indexOf(other.state))
    .map(({ id }) => id);
  return getAgents(connection, ids);
}

function toCounted(counted: number): BoundedCount {
  return { count: Math.min(counted, MAX_COUNTED), isMore: counted > MAX_COUNTED };
}

function toCounts(totals: readonly CategoryTotal[]): Pick<HomePage, 'total' | 'verified' | 'categories'> {
  const sumOf = (chosen: readonly CategoryTotal[]) => chosen.reduce((sum, { count }) => sum + count, 0);
  const categories = CATEGORIES.map((category) => ({
    category,
    count: sumOf(totals.filter((each) => each.category === category)),
  }));
  return {
    total: sumOf(totals),
    verified: sumOf(totals.filter(({ verified }) => verified)),
    categories: categories.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count),
  };
}

/** Registers the home page. Redirects `/` with the query of a list to `/agents`, because the list once had the path `/`. */
export function registerHomePage(pages: FastifyInstance, { publicUrls }: PageDependencies): void {
  pages.get<ShapedRequest>('/', PUBLIC_ROUTE, async (request, reply) => {
    if (isListQuery(request.query)) {
      return reply.redirect(`${LIST_PATH}${request.url.slice(request.url.indexOf('?'))}`, 301);
    }
    const page = await loadHomePage(request.reads, publicUrls);
    return sendHtml(reply, homeDocument(page, publicUrls));
  });
}

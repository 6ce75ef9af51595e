import type { Connection } from '../../database/connect.ts';
import type { AgentRecord } from '../../directory/agent-record.ts';
import { getAgents } from '../../directory/get-agents.ts';
import { linkAgents } from '../../directory/lists/link-agents.ts';
import { listAgents } from '../../directory/lists/list-agents.ts';
import { CATEGORIES } from '../../registry/listings/listing-row.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';
import type { Naming } from '../../subjects/naming.ts';
import { readPageQuery } from '../list/page-query.ts';
import {
  type CategoryTotal,
  findExamples,
  MOST_COUNTED,
  readCategoryTotals,
  readSurroundings,
} from './home.repository.ts';
import type { Counted, HomePage, ShortList } from './home-page-data.ts';

const SHOWN = 5;

/** The short lists, each the head of a list with its own address. */
const LISTS: readonly Omit<ShortList, 'agents'>[] = [
  { title: 'Popular', asked: { sort: 'stars' }, fact: 'stars' },
  { title: 'New', asked: { sort: 'newest' }, fact: 'listed' },
  { title: 'Latest commits', asked: { sort: 'updated' }, fact: 'commit' },
  { title: 'Verified', asked: { verified: true, sort: 'stars' }, fact: 'trust' },
];

const NEWEST = LISTS.findIndex(({ asked }) => asked.sort === 'newest');

/** The states that examples are shown of: the best that there is first, then how little and what is wrong look. */
const WANTED: readonly VerdictState[] = ['verified', 'well_evidenced', 'little_evidence', 'warning'];
const EXAMPLES = 3;

/** Everything that home shows, by a dozen small statements whatever the size of the directory. */
export async function loadHomePage(connection: Connection, naming: Naming): Promise<HomePage> {
  const totals = await readCategoryTotals(connection);
  const { creators, artifacts, checkedAt, now } = await readSurroundings(connection);
  const heads: AgentRecord[][] = [];
  for (const { asked } of LISTS) {
    const { agents } = await listAgents(connection, { ...readPageQuery({}), ...asked, limit: SHOWN });
    heads.push(agents);
  }
  const examples = await loadExamples(connection);
  const linked = await linkAgents(connection, [...examples, ...heads.flat()], naming);
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

/** Listings of three states, or where there are fewer, several of one. */
async function loadExamples(connection: Connection): Promise<AgentRecord[]> {
  const found = await findExamples(connection);
  const firsts = WANTED.flatMap((state) => found.find((each) => each.state === state) ?? []);
  // With all four there, the one between the two ends is left out.
  const shown = firsts.length > EXAMPLES ? firsts.filter(({ state }) => state !== 'well_evidenced') : firsts;
  const seconds = WANTED.flatMap((state) => found.filter((each) => each.state === state).slice(1));
  const ids = [...shown, ...seconds]
    .slice(0, EXAMPLES)
    .sort((one, other) => WANTED.indexOf(one.state) - WANTED.indexOf(other.state))
    .map(({ id }) => id);
  return getAgents(connection, ids);
}

function toCounted(counted: number): Counted {
  return { count: Math.min(counted, MOST_COUNTED), isMore: counted > MOST_COUNTED };
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

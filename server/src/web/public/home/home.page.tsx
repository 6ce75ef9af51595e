import type { Category } from '../../../catalog/listings/listing-row.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { HOME_STYLE_PATH } from '../../components/assets.ts';
import { formatAge, formatCount } from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { siteOrigin } from '../frame/page-dependencies.ts';
import { LIST_PATH, type ListFilters, listHref } from '../list/page-links.tsx';
import { ExampleCards, ShortLists } from './home-sections.tsx';

const ABOUT =
  'Check an AI agent before you use it: who made it, what it is built on, and how much of that can be verified.';

/** Renders the HTML document of the home page. */
export function homeDocument(page: HomePage, publicUrls: PublicUrls): string {
  const site = siteOrigin(publicUrls);
  const url = `${site}/`;
  return renderDocument(
    <Layout
      title="Trust Directory · Check an AI agent before you use it"
      canonical={url}
      openGraph={{ url, description: ABOUT }}
      hasOwnSearch={true}
      style={HOME_STYLE_PATH}
    >
      <HomeView page={page} site={site} />
    </Layout>,
  );
}

/** Introduces the site to newcomers: purpose, search field, and size of the directory. */
function Hero({ page }: { page: HomePage }) {
  return (
    <section class="hero" aria-label="Search">
      <h1>Check an AI agent before you use it</h1>
      <p class="lead muted">Who made it, what it is built on, and how much of that can be verified.</p>
      <search>
        <form class="finder" action={LIST_PATH} method="get">
          <input
            type="search"
            name="q"
            maxLength={200}
            data-suggest
            aria-label="Search agents, skills and creators"
            aria-keyshortcuts="/"
            placeholder="A name, owner/repository, address or id"
          />
          <button type="submit" class="primary">
            Check
          </button>
        </form>
      </search>
      <Facts page={page} />
    </section>
  );
}

function Facts({ page }: { page: HomePage }) {
  const { total, verified, creators, artifacts, checkedAt, addedAt, now } = page;
  if (total === 0) return null;
  return (
    <ul class="meta">
      <li>
        <b>{formatCount(total)}</b> agents and skills
      </li>
      {verified > 0 && (
        <li>
          <b>{formatCount(verified)}</b> with a verified owner
        </li>
      )}
      <li>
        <b>{formatCounted(creators)}</b> creators
      </li>
      {artifacts.count > 0 && (
        <li>
          plus <b>{formatCounted(artifacts)}</b>{' '}
          {artifacts.count === 1 ? 'agent or skill' : 'agents and skills'} inside those repositories
        </li>
      )}
      {checkedAt !== null ? (
        <li>
          Refreshed <b>{formatSince(checkedAt, now)}</b>
        </li>
      ) : (
        addedAt !== null && (
          <li>
            Updated <b>{formatSince(addedAt, now)}</b>
          </li>
        )
      )}
    </ul>
  );
}

function formatCounted({ count, isMore }: BoundedCount): string {
  return `${isMore ? 'more than ' : ''}${formatCount(count)}`;
}

const HOUR_MS = 3_600_000;

/** Formats how long before `now` the time `at` was: in hours on the first day, later as other pages format an age. */
function formatSince(at: string, now: string): string {
  const hours = Math.floor((Date.parse(now) - Date.parse(at)) / HOUR_MS);
  if (hours < 1) return 'less than an hour ago';
  if (hours >= 24) return formatAge(at, now);
  return hours === 1 ? '1 hour ago' : `${hours} hours ago`;
}

/**
 * Renders the home page: introduction, search, example verdicts, short lists, categories, and a sample API call. An empty
 * directory has only the introduction and a note about how to add listings.
 */
function HomeView({ page, site }: { page: HomePage; site: string }) {
  const { total, categories, examples, lists } = page;
  if (total === 0) {
    return (
      <>
        <Hero page={page} />
        <NothingListed />
      </>
    );
  }
  return (
    <>
      <Hero page={page} />
      <ExampleCards examples={examples} />
      <ShortLists lists={lists} />
      <Categories categories={categories} />
      {examples[0] && <DeveloperSection example={examples[0]} site={site} />}
    </>
  );
}

function NothingListed() {
  return (
    <section class="card" aria-labelledby="nothing">
      <h2 id="nothing">Nothing is listed yet</h2>
      <p>
        This directory is new and empty. If you made an agent or a skill, you can{' '}
        <a href="/docs/registerAgent">register it</a>. If you run this directory, import listings with{' '}
        <code>npm run import</code>.
      </p>
      <p>
        Read <a href="/method">how scores are made</a>, or the <a href="/docs">documentation</a>.
      </p>
    </section>
  );
}

function Categories({ categories }: Pick<HomePage, 'categories'>) {
  return (
    <section aria-labelledby="categories">
      <h2 id="categories">
        Browse by category <a href={LIST_PATH}>all</a>
      </h2>
      <ul class="tiles">
        {categories.map(({ category, count }) => (
          <li key={category}>
            <a href={listHref({ category })}>
              <b>{category}</b> <span>{formatCount(count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A number of rows, counted only up to a maximum. */
export interface BoundedCount {
  count: number;
  /** True if there are more rows than `count`. */
  isMore: boolean;
}

/** Fact that a short list shows next to each name. */
export type ShortFact = 'stars' | 'listed' | 'commit' | 'trust';

/** First entries of a list; the full list has its own page. */
export interface ShortList {
  title: string;
  asked: ListFilters;
  fact: ShortFact;
  agents: ListedAgent[];
}

/** Data of the home page. */
export interface HomePage {
  /** Number of all listings. */
  total: number;
  verified: number;
  /** Categories with listings, largest first. */
  categories: { category: Category; count: number }[];
  creators: BoundedCount;
  artifacts: BoundedCount;
  /** Time when a repository was last checked; null if none was checked yet. */
  checkedAt: string | null;
  /** Time when the newest listing was added; null without listings. */
  addedAt: string | null;
  now: string;
  /** Example listings of up to three verdict states. */
  examples: ListedAgent[];
  lists: ShortList[];
}

/** Shows an API call for an existing agent that works as shown, with some fields of its response. */
function DeveloperSection({ example, site }: { example: ListedAgent; site: string }) {
  const { agentId } = example.record;
  return (
    <section class="card developers" aria-labelledby="developers">
      <div>
        <h2 id="developers">For developers</h2>
        <p>Reading needs no key. You pay once per score, however often you retry.</p>
        <p>
          <a href="/docs">Documentation</a> · <a href="/pricing">Prices</a> ·{' '}
          <a href="/openapi.yaml">OpenAPI document</a>
        </p>
      </div>
      <div>
        <div class="copy" data-copy="curl">
          <pre>{`curl '${site}/api/agents/${agentId}'`}</pre>
        </div>
        <pre>{responseExcerpt(example)}</pre>
      </div>
    </section>
  );
}

/** Returns some fields of the response as JSON, with an ellipsis for the others. */
function responseExcerpt({ record }: ListedAgent): string {
  const { name, trust: trustScore, confidence } = record;
  const verdict = agentVerdict(record);
  const shown = {
    name,
    trustScore,
    confidence,
    verdict: verdict && { state: verdict.state, sentence: verdict.sentence },
  };
  return JSON.stringify(shown, null, 2).replace(/\n}$/, ',\n  …\n}');
}

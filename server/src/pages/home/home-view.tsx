import { formatCount } from '../../ui/text.tsx';
import { LIST_PATH, listAddress } from '../list/page-query.ts';
import { DeveloperSection } from './developer-section.tsx';
import { ExampleCards } from './example-cards.tsx';
import { Hero } from './hero.tsx';
import type { HomePage } from './home-page-data.ts';
import { ShortLists } from './short-lists.tsx';

/** What this is, a search, three verdicts, short lists, categories, and a call for developers. */
export function HomeView({ page, site }: { page: HomePage; site: string }) {
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
            <a href={listAddress({ category })}>
              <b>{category}</b> <span>{formatCount(count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import { NO_OTHERS, type Others } from '../../directory/names/find-others.ts';
import type { Addressed } from '../../subjects/find-addressed.ts';
import type { Naming } from '../../subjects/naming.ts';
import { FIND_STYLE_PATH } from '../../ui/assets.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { absoluteAddress } from '../frame/absolute-address.ts';
import { AddressNote } from './address-note.tsx';
import { chosenFilters } from './filter-bar.tsx';
import type { ListCounts } from './list-counts.ts';
import { ListView } from './list-view.tsx';
import { LIST_PATH, listAddress, type PageList } from './page-query.ts';
import { SpellingNote } from './spelling-note.tsx';

const ABOUT =
  'AI agents and skills with a verdict on each: who made it, what it is built on, and how much can be verified.';

/** What is said of the text in the search box. */
export interface Said {
  /** Whom it names, where it is an address. */
  addressed: Addressed | null;
  /** What was looked for besides. */
  didYouMean: string | null;
  /** What else has that name. */
  others: Others;
}

const NOTHING: Said = { addressed: null, didYouMean: null, others: NO_OTHERS };

/** The directory, one page of it, with the counts that its filters show, and what is said of the text in the search box. */
export function listDocument(
  list: PageList,
  agents: readonly ListedAgent[],
  total: number,
  counts: ListCounts,
  naming: Naming,
  { addressed, didYouMean, others }: Said = NOTHING,
): string {
  const address = listAddress(list, list.offset);
  const url = absoluteAddress(address, naming);
  return toDocument(
    <Layout
      title={`${list.q ?? 'Agents and skills'} · Trust Directory`}
      canonical={url}
      shared={{ url, description: ABOUT }}
      unlisted={address !== LIST_PATH}
      search={list.q ?? ''}
      searchWith={chosenFilters(list)}
      current="browse"
      style={FIND_STYLE_PATH}
    >
      <ListView
        list={list}
        agents={agents}
        total={total}
        counts={counts}
        others={others}
        note={
          <>
            {addressed && <AddressNote addressed={addressed} hasResults={total > 0} naming={naming} />}
            {didYouMean !== null && <SpellingNote list={list} didYouMean={didYouMean} />}
          </>
        }
      />
    </Layout>,
  );
}

import type { ComponentChildren } from 'preact';
import { Foreign, formatCount, Moment } from '../../ui/text.tsx';
import { FiguresAsOf } from '../list/figures-as-of.tsx';
import type { ListingPage } from './listing-page-data.ts';

/** What somebody would click for, in one line under the verdict. */
export function QuickFacts({ page }: { page: ListingPage }) {
  const { record, descendants, artifacts } = page;
  const { stars, lastCommitAt, license, verified } = record;
  return (
    <>
      <ul class="quick">
        <Quick name={stars === 1 ? 'star' : 'stars'}>{stars === null ? null : formatCount(stars)}</Quick>
        <Quick name="last commit">{lastCommitAt && <Moment at={lastCommitAt.toISOString()} />}</Quick>
        <Quick name="licence">{license && <Foreign>{license}</Foreign>}</Quick>
        <Quick name="owner" unknown="not claimed">
          {verified ? 'verified' : null}
        </Quick>
        {descendants.length > 0 && (
          <Quick name="derived">
            {formatCount(descendants.length)}
            {page.moreDescendants && '+'}
          </Quick>
        )}
        {artifacts.length > 0 && (
          <Quick name={artifacts.length === 1 ? 'skill inside' : 'skills inside'}>
            {formatCount(artifacts.length)}
          </Quick>
        )}
      </ul>
      {(stars !== null || lastCommitAt !== null) && <FiguresAsOf at={page.facts.figuresAt} />}
    </>
  );
}

interface QuickProps {
  name: string;
  unknown?: string;
  children: ComponentChildren;
}

function Quick({ name, unknown = 'not known', children }: QuickProps) {
  return (
    <li>
      {children === null ? <span class="muted">{unknown}</span> : <b>{children}</b>}
      <span class="note">{name}</span>
    </li>
  );
}

import { Foreign, formatScore, toWords } from '../../ui/text.tsx';
import { FamilyDrawing } from '../relations/family-drawing.tsx';
import { RelationsList } from '../relations/relations-list.tsx';
import { RollUp } from '../relations/roll-up.tsx';
import { layOutLineage, sayHidden } from './lineage-layout.ts';
import type { ListingPage, Relative } from './listing-page-data.ts';

/** On a phone the list is all there is, so that of a small family stands open. */
const OPEN_RELATIVES = 12;

/** Where a listing comes from and what came of it: as a drawing where there is room, and as a list. */
export function LineageSection({ page }: { page: ListingPage }) {
  const { ancestors, descendants, moreDescendants, relations, subject } = page;
  const { groups } = relations;
  const isAlone = ancestors.length + descendants.length + groups.length === 0;
  const shown = ancestors.length + descendants.length + groups.flatMap((group) => group.shown).length;
  return (
    <section class="card" aria-labelledby="lineage">
      <h2 id="lineage">Lineage</h2>
      {isAlone ? (
        <p>
          No known parents or forks. Anyone who registers work that is built on this can name it as the
          parent.
        </p>
      ) : (
        <>
          <RollUp relations={relations} own={subject.id} />
          <div class="wide-only">
            <Drawing page={page} />
          </div>
          <details open={shown <= OPEN_RELATIVES}>
            <summary>As a list</summary>
            <FamilyList page={page} />
            {moreDescendants && (
              <p class="small">
                <a href={`/api/agents/${page.record.agentId}/lineage`}>The API</a> lists more descendants.
              </p>
            )}
            {groups.length > 0 && <RelationsList groups={groups} />}
          </details>
          <p class="muted small">
            Older work is on the left. A dashed line is a claim or an inference.
            {ancestors.length + descendants.length > 0 &&
              " A solid line is acknowledged by the parent's creator, or has the same creator on both ends. The figure on a line is the trust that the parent passes on."}{' '}
            No line is an endorsement.
          </p>
        </>
      )}
    </section>
  );
}

function Drawing({ page }: { page: ListingPage }) {
  const drawing = layOutLineage(page);
  const hidden = sayHidden(drawing);
  return (
    <>
      <FamilyDrawing drawing={drawing} title={`Lineage of ${page.record.name}`} />
      {hidden !== null && <p class="muted small">{hidden}</p>}
    </>
  );
}

function FamilyList({ page }: { page: ListingPage }) {
  const { ancestors, descendants, own, record } = page;
  return (
    <>
      {ancestors.length > 0 && (
        <>
          <h3>Ancestors, nearest first</h3>
          <ol class="tree">
            {ancestors.map((relative, index) => (
              <li key={relative.link.path}>
                <RelativeLine relative={relative} edge={ancestors[index - 1]?.entry ?? own} />
              </li>
            ))}
          </ol>
        </>
      )}
      {descendants.length > 0 && (
        <>
          <h3>Descendants</h3>
          <Descendants relatives={descendants} parentId={record.agentId} generations={4} />
        </>
      )}
    </>
  );
}

interface DescendantsProps {
  relatives: readonly Relative[];
  parentId: string;
  /** Levels that are still indented: beyond them the screen would end before the family does. */
  generations: number;
}

function Descendants({ relatives, parentId, generations }: DescendantsProps) {
  const children = relatives.filter(({ entry }) => entry.parentId === parentId);
  if (children.length === 0 || generations === 0) return null;
  return (
    <ul class="tree">
      {children.map((relative) => (
        <li key={relative.link.path}>
          <RelativeLine relative={relative} edge={relative.entry} />
          <Descendants
            relatives={relatives}
            parentId={relative.entry.record.agentId}
            generations={generations - 1}
          />
        </li>
      ))}
    </ul>
  );
}

/** `edge` is the one between the relative and its neighbour towards this page's subject. */
function RelativeLine({ relative, edge }: { relative: Relative; edge: Relative['entry'] }) {
  return (
    <>
      <a href={relative.link.path}>
        <Foreign>{relative.link.text}</Foreign>
      </a>{' '}
      <span class="muted small">
        {toWords(edge.relation ?? '')}, {edge.acknowledged ? 'acknowledged' : 'claimed'}, passes on{' '}
        {formatScore(edge.trustEquityFlow)}
      </span>
    </>
  );
}

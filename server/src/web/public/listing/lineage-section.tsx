import { ForeignText, formatScore, toWords } from '../../components/formatting.tsx';
import { FamilyDrawing } from '../relations/relations.page.tsx';
import { CopySummary, RelationsList } from '../relations/relations-list.tsx';
import { describeHidden, layOutLineage } from './lineage-layout.ts';
import type { ListingPage, Relative } from './listing.page.tsx';

/** Maximum number of relatives whose list is shown unfolded. Phones show only the list, not the drawing. */
const MAX_UNFOLDED_RELATIVES = 12;

/** Shows a listing's origins and derivatives, as a drawing on wide screens and as a list. */
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
          <CopySummary relations={relations} own={subject.id} />
          <div class="wide-only">
            <Drawing page={page} />
          </div>
          <details open={shown <= MAX_UNFOLDED_RELATIVES}>
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
  const hidden = describeHidden(drawing);
  return (
    <>
      <FamilyDrawing drawing={drawing} title={`Lineage of ${page.record.name}`} />
      {hidden !== null && <p class="muted small">{hidden}</p>}
    </>
  );
}

function FamilyList({ page }: { page: ListingPage }) {
  const { ancestors, descendants, ownEntry: own, record } = page;
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
  /** Remaining levels of indentation, bounded for narrow screens. */
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

/** Shows a relative. `edge` connects it to its neighbour towards the page's subject. */
function RelativeLine({ relative, edge }: { relative: Relative; edge: Relative['entry'] }) {
  return (
    <>
      <a href={relative.link.path}>
        <ForeignText>{relative.link.text}</ForeignText>
      </a>{' '}
      <span class="muted small">
        {toWords(edge.relation ?? '')}, {edge.acknowledged ? 'acknowledged' : 'claimed'}, passes on{' '}
        {formatScore(edge.trustEquityFlow)}
      </span>
    </>
  );
}

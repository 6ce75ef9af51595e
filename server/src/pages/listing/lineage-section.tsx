import { Foreign, formatScore, toWords } from '../../ui/text.tsx';
import { LineageDrawing } from './lineage-drawing.tsx';
import type { ListingPage, Relative } from './listing-page-data.ts';

/** On a phone the list is all there is, so that of a small family stands open. */
const OPEN_RELATIVES = 12;

/** The family as a drawing where there is room, and as a list. */
export function LineageSection({ page }: { page: ListingPage }) {
  const { ancestors, descendants, moreDescendants } = page;
  const isAlone = ancestors.length === 0 && descendants.length === 0;
  return (
    <section class="card" aria-labelledby="lineage">
      <h2 id="lineage">Lineage</h2>
      {isAlone ? (
        <p>
          Nothing known before it, nothing known after it. Anyone who registers work built on it can name it
          as the parent.
        </p>
      ) : (
        <>
          <div class="wide-only">
            <LineageDrawing page={page} />
          </div>
          <details open={ancestors.length + descendants.length <= OPEN_RELATIVES}>
            <summary>The same as a list</summary>
            <FamilyList page={page} />
            {moreDescendants && (
              <p class="small">
                More of them are <a href={`/api/agents/${page.record.agentId}/lineage`}>in the API</a>.
              </p>
            )}
          </details>
          <p class="muted small">
            A figure on a line is the trust passed on from parent to child. A dashed line is claimed, a solid
            one acknowledged by the parent's creator or of the same creator. No line is an endorsement.
          </p>
        </>
      )}
    </section>
  );
}

function FamilyList({ page }: { page: ListingPage }) {
  const { ancestors, descendants, own, record } = page;
  return (
    <>
      {ancestors.length > 0 && (
        <>
          <h3>Comes from, nearest first</h3>
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
          <h3>What derives from it</h3>
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

import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import { formatDay, Moment } from '../../ui/text.tsx';

/** States on which day the figures above or below it were read; nothing where their source gives no moment. */
export function FiguresAsOf({ at }: { at: string | null }) {
  if (at === null) return null;
  return (
    <p class="note">
      Repository figures as of <Moment at={at} />
    </p>
  );
}

/** Returns whether an entry of a list shows figures of its repository. */
export function showsFigures({ record: { stars, lastCommitAt } }: ListedAgent): boolean {
  return stars !== null || lastCommitAt !== null;
}

/** Returns a moment of the one day on which all figures of these entries were read; null where there is no such day. */
export function sharedFiguresAt(agents: readonly ListedAgent[]): string | null {
  const read = agents.filter(showsFigures).map(({ figuresAt }) => figuresAt);
  const days = new Set(read.map((at) => at && formatDay(at)));
  return days.size === 1 ? (read[0] ?? null) : null;
}

const DAY_MS = 86_400_000;
const MONTH = 30.4;
const YEAR = 365;

/** How lately something was worked on: words, and from how many days on they are others. */
function stepAt(days: number): { text: string; until: number } {
  if (days < 7) return { text: 'active this week', until: 7 };
  if (days < 30) return { text: 'active this month', until: 30 };
  const months = Math.max(1, Math.floor(days / MONTH));
  if (days < YEAR && months < 12)
    return { text: `last commit ${count(months, 'month')} ago`, until: (months + 1) * MONTH };
  const years = Math.max(1, Math.floor(days / YEAR));
  return { text: `last commit ${count(years, 'year')} ago`, until: (years + 1) * YEAR };
}

function count(number: number, unit: string): string {
  return number === 1 ? `a ${unit}` : `${number} ${unit}s`;
}

function daysSince(at: Date, now: string): number {
  return (Date.parse(now) - at.getTime()) / DAY_MS;
}

/** How lately a repository was worked on, by its last commit, as a list says it at `now`. */
export function formatActivity(lastCommit: Date, now: string): string {
  return stepAt(daysSince(lastCommit, now)).text;
}

/** How long after `now` all of these are still said in the same words. */
export function activityHoldsForMs(lastCommits: readonly Date[], now: string): number {
  const left = lastCommits.map((at) => {
    const days = daysSince(at, now);
    return (stepAt(days).until - days) * DAY_MS;
  });
  return Math.min(Number.POSITIVE_INFINITY, ...left);
}

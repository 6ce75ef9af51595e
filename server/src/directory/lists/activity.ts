const DAY_MS = 86_400_000;
const MONTH = 30.4;
const YEAR = 365;

/** Describes a number of days since the last commit. `until` is the number of days at which the description changes. */
function describeDays(days: number): { text: string; until: number } {
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

/** Describes how recently a repository had a commit, as lists show it at `now`. */
export function formatActivity(lastCommit: Date, now: string): string {
  return describeDays(daysSince(lastCommit, now)).text;
}

/**
 * Returns for how many milliseconds after `now` the descriptions of all these commits stay the same; infinity without
 * commits.
 */
export function activityStableForMs(lastCommits: readonly Date[], now: string): number {
  const left = lastCommits.map((at) => {
    const days = daysSince(at, now);
    return (describeDays(days).until - days) * DAY_MS;
  });
  return Math.min(Number.POSITIVE_INFINITY, ...left);
}

// Compares the results of searches that describe a need with an expert's labels, and computes three shares of good results.
import { ask, pathOf } from './search-times.mjs';

/** Number of result positions that are compared. */
const LOOKED_AT = 50;
const FIRST = 5;
const PAGE = 10;
const ENOUGH = 3;

/** Sends a search by relevance; returns the `owner/name` of its first entries, in lower case. */
export async function found(baseUrl, text, limit = LOOKED_AT) {
  const { body } = await ask(baseUrl, pathOf(text, limit));
  return body.data.map(({ repositoryUrl }) => new URL(repositoryUrl).pathname.slice(1).toLowerCase());
}

/**
 * Judges the result positions of a labelled search: `best` are expected at the top, `good` are also suitable, `bad`
 * only share words with the search.
 */
export function judge({ best, good, bad }, places) {
  const placeOf = (repository) => places.indexOf(repository.toLowerCase());
  const isIn = (repository, most) => placeOf(repository) >= 0 && placeOf(repository) < most;
  const fitting = [...best, ...good];
  const firstBest = Math.min(...best.map(placeOf).filter((place) => place >= 0), Number.POSITIVE_INFINITY);
  const fits = fitting.filter((each) => isIn(each, PAGE)).length;
  return {
    hasBest: best.some((each) => isIn(each, FIRST)),
    hasEnough: fits >= Math.min(ENOUGH, fitting.length),
    isClean: bad.every((each) => placeOf(each) < 0 || placeOf(each) > firstBest),
    fits: `${fits} of ${fitting.length} fitting ones in the first ${PAGE}`,
    firstBest: Number.isFinite(firstBest) ? `first best one at place ${firstBest + 1}` : 'no best one',
    badAbove: bad.filter((each) => placeOf(each) >= 0 && placeOf(each) < firstBest),
  };
}

/** Sends each labelled search once, reports those that miss a target, and returns all verdicts. */
export async function judgeNeeds(baseUrl, needs, tellOf) {
  const verdicts = [];
  for (const need of needs) {
    const verdict = judge(need, await found(baseUrl, need.query));
    verdicts.push(verdict);
    if (verdict.hasBest && verdict.hasEnough && verdict.isClean) continue;
    const above = verdict.badAbove.length > 0 ? `, above it ${verdict.badAbove.join(', ')}` : '';
    tellOf(`falls short: ${need.query}: ${verdict.firstBest}${above}; ${verdict.fits}`);
  }
  return verdicts;
}

/** Returns the lines of the table that show the verdicts. */
export function needLines(verdicts) {
  const line = (work, fits, least) => shareLine(work, verdicts.filter(fits).length / verdicts.length, least);
  const what = `${verdicts.length} searches for a need`;
  return [
    line(`${what}: a best one in the first ${FIRST}`, ({ hasBest }) => hasBest, 0.9),
    line(`${what}: ${ENOUGH} fitting ones in the first ${PAGE}, or all`, ({ hasEnough }) => hasEnough, 0.9),
    line(`${what}: no bad one above the first best one`, ({ isClean }) => isClean, 0.95),
  ];
}

/** Returns the line of the table that shows a share. */
export function shareLine(work, share, least) {
  const measured = `${(share * 100).toFixed(0)} %`;
  return { work, against: '', measured, target: `≥ ${least * 100} %`, met: share >= least };
}

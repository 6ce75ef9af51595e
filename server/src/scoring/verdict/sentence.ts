import { REASONS, type ReasonCode, type ReasonKind } from './reasons.ts';

/** An open licence is what a reader expects: a sentence says what is good to know, not everything. */
const UNSAID: ReadonlySet<ReasonCode> = new Set(['open_source']);

/** One sentence from the reasons: "Widely used and active; owner not verified; licence not known." */
export function sentenceOf(reasons: readonly ReasonCode[]): string {
  const said = reasons.filter((code) => !UNSAID.has(code));
  const parts = [
    ...phrases(said, 'warning'),
    ...useAndActivity(said),
    ...phrases(said, 'owner'),
    ...phrases(said, 'identity'),
    ...phrases(said, 'licence'),
  ];
  if (parts.length === 0) return 'No reasons were given with this score.';
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Both in one breath: "widely used and active", "few users so far, no recent changes". */
function useAndActivity(said: readonly ReasonCode[]): string[] {
  if (said.includes('use_unknown') && said.includes('activity_unknown'))
    return ['no usage or activity data yet'];
  const both = [...phrases(said, 'use'), ...phrases(said, 'activity')];
  if (
    ['use_unknown', 'activity_unknown', 'activity_outdated'].some((code) => said.includes(code as ReasonCode))
  )
    return both;
  const isGood = said.includes('active') || said.includes('maintained');
  const isUsed = said.includes('very_widely_used') || said.includes('widely_used');
  return both.length === 0 ? [] : [both.join(isGood && isUsed ? ' and ' : ', ')];
}

function phrases(reasons: readonly ReasonCode[], kind: ReasonKind): string[] {
  return reasons.filter((code) => REASONS[code].kind === kind).map((code) => REASONS[code].phrase);
}

/** Weights of the base metrics of CVSS 3.0 and 3.1, by metric and value. */
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
/** Weights of required privileges if the fault reaches beyond its component. */
const CHANGED_SCOPE_PRIVILEGES: Readonly<Record<string, number>> = { N: 0.85, L: 0.68, H: 0.5 };

/** Computes the base score of a CVSS 3 vector by the formula of its specification. Returns null for other texts. */
export function cvssBaseScore(vector: string): number | null {
  if (!/^CVSS:3\.[01]\//.test(vector)) return null;
  const metrics = new Map<string, string>(
    vector.split('/').map((part) => {
      const [name = '', value = ''] = part.split(':');
      return [name, value] as const;
    }),
  );
  const isScopeChanged = metrics.get('S') === 'C';
  const weight = (name: string) => WEIGHTS[name]?.[metrics.get(name) ?? ''];
  const privileges = isScopeChanged ? CHANGED_SCOPE_PRIVILEGES[metrics.get('PR') ?? ''] : weight('PR');
  const [vectorOfAttack, complexity, interaction] = ['AV', 'AC', 'UI'].map(weight);
  const impacts = ['C', 'I', 'A'].map(weight);
  if (!vectorOfAttack || !complexity || !interaction || !privileges) return null;
  if (impacts.includes(undefined)) return null;
  const missed = 1 - impacts.reduce<number>((product, impact) => product * (1 - (impact ?? 0)), 1);
  const impact = isScopeChanged ? 7.52 * (missed - 0.029) - 3.25 * (missed - 0.02) ** 15 : 6.42 * missed;
  if (impact <= 0) return 0;
  const exploitability = 8.22 * vectorOfAttack * complexity * privileges * interaction;
  return roundUp(Math.min((isScopeChanged ? 1.08 : 1) * (impact + exploitability), 10));
}

/** Rounds up to one decimal place, without the errors of binary fractions (CVSS 3.1, appendix A). */
function roundUp(score: number): number {
  const whole = Math.round(score * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}

/** Returns the word that the specification gives to a base score. */
export function severityOfScore(score: number): 'none' | 'low' | 'medium' | 'high' | 'critical' {
  if (score === 0) return 'none';
  if (score < 4) return 'low';
  if (score < 7) return 'medium';
  return score < 9 ? 'high' : 'critical';
}

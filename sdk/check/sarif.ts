import { createHash } from 'node:crypto';
import type { Check } from './checks.ts';

const HOME = 'https://github.com/trust-directory/trust-directory';

/** Rules by id, with a short and a full description. */
const RULES: Readonly<Record<string, readonly [short: string, full: string]>> = {
  warning: ['Warning', 'Something was observed that speaks against it, such as malware.'],
  removed_subject: ['Removed', 'The operator removed it from the directory.'],
  denied: ['Denied', 'The policy denies it.'],
  affected: ['Affected version', 'A known advisory affects the version.'],
  unknown_subject: ['Unknown', 'The directory does not know it.'],
  ambiguous_subject: ['Ambiguous name', 'Several subjects have this name.'],
  wrong_type: ['Wrong type', 'It is of another type than the policy requires.'],
  no_score: ['No score', 'There is no confirmed score.'],
  low_trust: ['Low trust', 'Its trust is below the minimum of the policy.'],
  low_confidence: ['Low confidence', 'Too little is known about it for the policy.'],
  low_tier: ['Low tier', 'Its tier is below the minimum of the policy.'],
  not_verified: ['Not verified', 'Its creator has not proved the account that owns the repository.'],
  wrong_verdict: ['Verdict not accepted', 'The policy does not accept its verdict.'],
  old_score: ['Old score', 'Its score is older than the policy allows.'],
  standing_unknown: ['Could not tell', 'It is not known whether an advisory affects it.'],
  not_checked: ['Not checked', 'Nothing of it was sent, so nothing is known about it.'],
  check_failed: ['Check failed', 'It could not be checked.'],
};

/**
 * Creates a SARIF 2.1.0 report, with one result for each location of an item that did not pass. Omits items that were
 * looked up and have neither an advisory nor a reason other than `no_policy`.
 */
export function toSarif(checks: readonly Check[], version: string): object {
  const results = checks.flatMap(resultsOf);
  const used = new Set(results.map(({ ruleId }) => ruleId));
  const rules = Object.entries(RULES).filter(([id]) => used.has(id));
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'trust-directory',
            version,
            semanticVersion: version,
            informationUri: HOME,
            rules: rules.map(([id, [short, full]]) => ({
              id,
              name: short.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
              shortDescription: { text: short },
              fullDescription: { text: full },
              helpUri: `${HOME}/blob/main/sdk/docs/check.md`,
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: results.map((result) => ({
          ...result,
          ruleIndex: rules.findIndex(([id]) => id === result.ruleId),
        })),
      },
    ],
  };
}

function resultsOf(check: Check) {
  const { subject, verdict, severity, locations, baseline } = check;
  const finding = findingOf(check);
  if (verdict === 'passed' || finding === null) return [];
  const [ruleId, text] = finding;
  const result = {
    ruleId,
    level: levelOf(check),
    // Untrusted text must not become a link: in SARIF, a bracket begins one unless it is escaped.
    message: { text: `${subject}: ${text}`.replaceAll(/[\\[\]]/g, '\\$&') },
    properties: { verdict, severity },
    // Viewers of SARIF show suppressed results, but do not count them.
    ...(baseline && {
      suppressions: [{ kind: 'external' as const, justification: 'In the baseline file.' }],
    }),
  };
  const places = locations.length === 0 ? [null] : locations;
  return places.map((place) => ({
    ...result,
    partialFingerprints: { 'trustDirectory/v1': fingerprint([subject, ruleId, place?.file ?? '']) },
    ...(place && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: uriOf(place.file) },
            region: { startLine: place.line },
          },
        },
      ],
    }),
  }));
}

/**
 * Returns the rule id and the message of a check. Returns null if there is nothing to report: the item was looked up,
 * and there is no advisory and no reason except `no_policy`.
 */
function findingOf({
  verdict,
  reasons,
  advisories,
  unaffected,
  failure,
}: Check): readonly [string, string] | null {
  if (verdict === 'not checked') return ['not_checked', failure ?? ''];
  if (failure !== null) return ['check_failed', failure];
  const counted = reasons.filter(({ code }) => code !== 'no_policy');
  const own = counted.map(({ message }) => message);
  // Without a policy, advisories are not a reason, but they are still reported.
  const [code = advisories.length > 0 ? 'affected' : undefined] = counted.map((each) => each.code);
  if (code === undefined) return null;
  const known = advisories.map(({ id, summary }) => `${id}: ${summary.replace(/\.?$/, '.')}`);
  const way = unaffected === null ? [] : [`Not affected: ${unaffected}.`];
  return [code, [...own, ...known, ...way].join(' ')];
}

function levelOf({ verdict, severity }: Check): 'error' | 'warning' | 'note' {
  if (verdict === 'not checked') return 'note';
  return verdict === 'refused' && severity !== 'low' ? 'error' : 'warning';
}

/** Encodes a relative path, whose names may contain any characters, as a URI reference. */
const uriOf = (path: string) => path.split('/').map(encodeURIComponent).join('/');

const fingerprint = (parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

import type { Check } from './checks.ts';

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'none'];

/**
 * Creates a CycloneDX 1.6 document: one component for each result, also of items that were not checked, and one
 * vulnerability for each advisory that affects an item.
 */
export function toCycloneDx(checks: readonly Check[], version: string, now: Date): object {
  const components = checks.map((check, index) => ({
    check,
    ref: `${purlOf(check) ?? check.subject}#${index + 1}`,
  }));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: now.toISOString(),
      tools: { components: [{ type: 'application', name: 'trust-directory', version }] },
    },
    components: components.map(({ check, ref }) => componentOf(check, ref)),
    vulnerabilities: vulnerabilitiesOf(components),
  };
}

function componentOf(check: Check, ref: string) {
  const { name, version, record } = check;
  const purl = purlOf(check);
  const [, scope, bare] = /^(?:npm:(?:(@[^/]+)\/)?|pypi:)(.+)$/.exec(name) ?? [];
  return {
    type: purl ? 'library' : 'application',
    'bom-ref': ref,
    ...(scope && { group: scope }),
    name: bare ?? name,
    ...(version !== null && { version }),
    ...(purl && { purl }),
    properties: [
      { name: 'trust-directory:verdict', value: check.verdict },
      { name: 'trust-directory:severity', value: check.severity },
      ...check.reasons.map(({ code }) => ({ name: 'trust-directory:reason', value: code })),
      ...(record?.trustScore == null
        ? []
        : [{ name: 'trust-directory:trust', value: String(record.trustScore) }]),
      ...(record?.confidence == null
        ? []
        : [{ name: 'trust-directory:confidence', value: String(record.confidence) }]),
    ],
    evidence: {
      occurrences: check.locations.map(({ file, line }) => ({ location: file, line })),
    },
  };
}

/** Returns the package URL of a package; null for anything else. */
function purlOf({ name, version }: Check): string | null {
  const [, ecosystem, full = ''] = /^(npm|pypi):(.+)$/.exec(name) ?? [];
  if (!ecosystem) return null;
  const plain = ecosystem === 'pypi' ? full.toLowerCase().replaceAll(/[-_.]+/g, '-') : full;
  const path = plain.split('/').map(encodeURIComponent).join('/');
  return `pkg:${ecosystem}/${path}${version === null ? '' : `@${encodeURIComponent(version)}`}`;
}

/** Returns one vulnerability per advisory, with all components that the advisory affects. */
function vulnerabilitiesOf(components: readonly { check: Check; ref: string }[]) {
  const found = new Map<string, { advisory: Check['advisories'][number]; affects: object[] }>();
  for (const { check, ref } of components) {
    for (const advisory of check.advisories) {
      const entry = found.get(advisory.id) ?? { advisory, affects: [] };
      found.set(advisory.id, entry);
      const other = check.unaffected === null ? [] : [{ version: check.unaffected, status: 'unaffected' }];
      entry.affects.push({
        ref,
        versions: [
          ...(check.version === null ? [] : [{ version: check.version, status: 'affected' }]),
          ...other,
        ],
      });
    }
  }
  return [...found.values()].map(({ advisory, affects }) => ({
    id: advisory.id,
    source: { name: advisory.source, ...(advisory.url && { url: advisory.url }) },
    references: advisory.aliases.map((id) => ({ id, source: { name: advisory.source } })),
    ratings: [
      {
        severity: SEVERITIES.includes(advisory.severity ?? '') ? advisory.severity : 'unknown',
        ...(advisory.cvss && { vector: advisory.cvss }),
      },
    ],
    description: advisory.summary,
    updated: advisory.modified,
    affects,
  }));
}

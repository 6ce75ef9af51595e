import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { daysAgo, NOW, repositoryFacts } from '../../../testing/scoring/golden-vectors.ts';
import type { PackageStanding } from '../fact-types.ts';
import { PACKAGE_RULES } from './package-reasons.ts';
import { presentVerdict } from './verdict.presenter.ts';
import { verdictOf } from './verdict.ts';

const SOUND: PackageStanding = {
  ecosystem: 'npm',
  name: 'mcp-mermaid',
  version: '0.7.0',
  published: 'not_affected',
  everyVersion: false,
  malwareVersions: [],
  soundSince: null,
  isResearch: false,
  vulnerabilities: [],
  advisoryIds: [],
  disputedVersions: [],
};
const HIJACKED = { malwareVersions: ['0.5.1', '0.6.1'] };

function judge(change: Partial<PackageStanding>) {
  const value = { ...SOUND, ...change };
  const observed = [{ fact: 'package_standing' as const, value, observedAt: daysAgo(1), source: 'osv' }];
  const facts = { ...repositoryFacts(), observed };
  return verdictOf({ confidence: 80, contributions: [], caps: [], facts, factsAt: NOW.toISOString() });
}

const VULNERABLE = { id: 'CVE-1', severity: 'high', fixedIn: '0.8.0' } as const;

/** The reasons that a standing gives, with the state of the verdict and the text of the first one. */
const ROWS: readonly [
  name: string,
  change: Partial<PackageStanding>,
  codes: string[],
  state: string,
  text: string | null,
][] = [
  ['sound', {}, [], 'well_evidenced', null],
  [
    'malware in the published version',
    { ...HIJACKED, published: 'malware', version: '0.6.1' },
    ['malware'],
    'warning',
    'the published version 0.6.1 contains malware, as do others: 0.5.1',
  ],
  [
    'malware in the published version alone',
    { malwareVersions: ['0.6.1'], published: 'malware', version: '0.6.1' },
    ['malware'],
    'warning',
    'the published version 0.6.1 contains malware',
  ],
  [
    'a record about every version',
    { published: 'malware', everyVersion: true, malwareVersions: ['all versions'] },
    ['malware'],
    'warning',
    'every version contains malware',
  ],
  [
    'a record about every version, unread',
    { published: 'unread', version: null, everyVersion: true, malwareVersions: ['all versions'] },
    ['malware'],
    'warning',
    'every version contains malware',
  ],
  [
    'a record about some versions, unread',
    { published: 'unread', version: null, malwareVersions: ['>=1.0.16'] },
    ['malware_in_some_versions'],
    'warning',
    'malware in versions >=1.0.16, and the published version was not read',
  ],
  ...[
    [0, 'malware_in_earlier_versions', 'warning'],
    [89, 'malware_in_earlier_versions', 'warning'],
    [90, 'malware_in_earlier_versions', 'warning'],
    [91, 'former_malware', 'well_evidenced'],
    [2_000, 'former_malware', 'well_evidenced'],
    [null, 'malware_in_earlier_versions', 'warning'],
  ].map(
    ([days, code, state]) =>
      [
        `earlier versions, sound for ${days ?? 'an unknown number of'} days`,
        { ...HIJACKED, soundSince: days === null ? null : daysAgo(Number(days)) },
        [String(code)],
        String(state),
        'malware in 2 versions (0.5.1, 0.6.1), but not in the current version 0.7.0',
      ] satisfies [string, Partial<PackageStanding>, string[], string, string],
  ),
  [
    'a pre-release that the registry installs by default',
    { malwareVersions: ['0.8.0-beta.1'], defaultMalware: '0.8.0-beta.1', soundSince: daysAgo(2_000) },
    ['malware_in_earlier_versions'],
    'warning',
    'malware in version 0.8.0-beta.1, which npm installs by default, but not in the latest stable version 0.7.0',
  ],
  [
    "malware in a package that is the listing's no more",
    { others: [{ ...SOUND, ...HIJACKED, name: 'former', soundSince: daysAgo(1) }] },
    ['malware_in_earlier_versions'],
    'warning',
    'npm package former: malware in 2 versions (0.5.1, 0.6.1), but not in the current version 0.7.0',
  ],
  [
    'a dispute of some versions',
    { ...HIJACKED, soundSince: daysAgo(1), disputedVersions: ['0.5.1'] },
    ['malware_in_earlier_versions', 'malware_disputed'],
    'warning',
    'malware in 2 versions (0.5.1, 0.6.1), but not in the current version 0.7.0',
  ],
  [
    'a proof of concept',
    { malwareVersions: ['1.0.0'], isResearch: true },
    ['research_package'],
    'well_evidenced',
    'proof of concept of researchers: version 1.0.0',
  ],
  [
    'a proof of concept, unread',
    { malwareVersions: ['1.0.0'], isResearch: true, published: 'unread', version: null },
    ['research_package'],
    'well_evidenced',
    'proof of concept of researchers: version 1.0.0',
  ],
  [
    'a vulnerability with a fix',
    { vulnerabilities: [VULNERABLE] },
    ['open_vulnerabilities'],
    'well_evidenced',
    '1 known vulnerability in the published version, high, fixed in 0.8.0',
  ],
  [
    'vulnerabilities with and without a fix',
    { vulnerabilities: [{ ...VULNERABLE, severity: null, fixedIn: null }, VULNERABLE] },
    ['open_vulnerabilities'],
    'well_evidenced',
    '2 known vulnerabilities in the published version, at worst high, some of them fixed in later versions',
  ],
  [
    'a vulnerability of unknown severity without a fix',
    { vulnerabilities: [{ ...VULNERABLE, severity: null, fixedIn: null }] },
    ['open_vulnerabilities'],
    'well_evidenced',
    '1 known vulnerability in the published version, no fix known',
  ],
  [
    'many versions',
    { malwareVersions: ['1', '2', '3', '4', '5', '6'], soundSince: daysAgo(1) },
    ['malware_in_earlier_versions'],
    'warning',
    'malware in 6 versions (1, 2, 3, 4, 2 more), but not in the current version 0.7.0',
  ],
];

describe('advisories of a package', () => {
  it('give the reasons of the table, with texts that name the versions', async () => {
    await expectEveryRow(
      ROWS,
      ([name]) => name,
      ([, change, codes, state, text]) => {
        const verdict = judge(change);
        const { reasons } = presentVerdict(verdict);

        expect(reasons.map(({ code }) => code).filter((code) => codes.includes(code))).toEqual(codes);
        expect(
          PACKAGE_RULES.map(({ code }) => code).filter((code) => verdict.reasons.includes(code)),
        ).toEqual(codes);
        expect(verdict.state).toBe(state);
        if (text === null) return;
        expect(reasons[0]).toEqual({ code: codes[0], text });
        expect(verdict.sentence.toLowerCase()).toContain(text.toLowerCase());
      },
    );
  });

  it('cover every rule', () => {
    const covered = new Set(ROWS.flatMap(([, , codes]) => codes));

    expect(PACKAGE_RULES.map(({ code }) => code).filter((code) => !covered.has(code))).toEqual([]);
  });

  it('never call a proof of concept malware', () => {
    const verdict = judge({ malwareVersions: ['1.0.0'], isResearch: true });

    expect(JSON.stringify(presentVerdict(verdict))).not.toMatch(/malware/i);
  });

  it('say nothing, not even that there is none, about a listing without a confirmed package', () => {
    const facts = repositoryFacts();
    const verdict = verdictOf({
      confidence: 80,
      contributions: [],
      caps: [],
      facts,
      factsAt: NOW.toISOString(),
    });

    expect(verdict).not.toHaveProperty('texts');
    expect(JSON.stringify(verdict)).not.toMatch(/malware|vulnerab/i);
  });
});

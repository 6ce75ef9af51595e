const IDENTIFIERS = `
  0BSD AAL AFL-1.1 AFL-1.2 AFL-2.0 AFL-2.1 AFL-3.0 AGPL-3.0 AGPL-3.0-only AGPL-3.0-or-later
  ALGLIB-Documentation Apache-1.1 Apache-2.0 APL-1.0 APSL-1.0 APSL-1.1 APSL-1.2 APSL-2.0 Artistic-1.0
  Artistic-1.0-cl8 Artistic-1.0-Perl Artistic-2.0 BlueOak-1.0.0 BSD-1-Clause BSD-2-Clause
  BSD-2-Clause-Patent BSD-3-Clause BSD-3-Clause-LBNL BSD-3-Clause-Open-MPI BSL-1.0 CAL-1.0
  CAL-1.0-Combined-Work-Exception CATOSL-1.1 CDDL-1.0 CECILL-2.1 CERN-OHL-P-2.0 CERN-OHL-S-2.0
  CERN-OHL-W-2.0 CNRI-Python CPAL-1.0 CPL-1.0 CUA-OPL-1.0 ECL-1.0 ECL-2.0 EFL-1.0 EFL-2.0 Entessa EPL-1.0
  EPL-2.0 EUDatagrid EUPL-1.1 EUPL-1.2 Fair Frameworx-1.0 GPL-2.0 GPL-2.0+ GPL-2.0-only GPL-2.0-or-later
  GPL-3.0 GPL-3.0+ GPL-3.0-only GPL-3.0-or-later GPL-3.0-with-GCC-exception HPND ICU Intel IPA IPL-1.0 ISC
  Jam LGPL-2.0 LGPL-2.0+ LGPL-2.0-only LGPL-2.0-or-later LGPL-2.1 LGPL-2.1+ LGPL-2.1-only LGPL-2.1-or-later
  LGPL-3.0 LGPL-3.0+ LGPL-3.0-only LGPL-3.0-or-later LiLiQ-P-1.1 LiLiQ-R-1.1 LiLiQ-Rplus-1.1 LPL-1.0
  LPL-1.02 LPPL-1.3c MirOS MIT MIT-0 MIT-Modern-Variant Motosoto MPL-1.0 MPL-1.1 MPL-2.0
  MPL-2.0-no-copyleft-exception MS-PL MS-RL MulanPSL-2.0 Multics NASA-1.3 Naumen NCSA NGPL Nokia NPOSL-3.0
  NTP OCLC-2.0 OFL-1.1 OFL-1.1-no-RFN OFL-1.1-RFN OGTSL OLDAP-2.8 OLFL-1.3 OSC-1.0 OSET-PL-2.1 OSL-1.0
  OSL-2.0 OSL-2.1 OSL-3.0 PHP-3.0 PHP-3.01 PostgreSQL Python-2.0 QPL-1.0 RPL-1.1 RPL-1.5 RPSL-1.0 RSCPL
  SimPL-2.0 SISSL Sleepycat SPL-1.0 UCL-1.0 Unicode-3.0 Unicode-DFS-2016 Unlicense UPL-1.0 VSL-1.0 W3C
  W3C-20150513 Watcom-1.0 WordNet wxWindows Xnet Zlib ZPL-2.0 ZPL-2.1
`;

/** Lower-case SPDX identifiers of licences that the Open Source Initiative has approved (SPDX list of 2026). */
const OSI_LICENSES: ReadonlySet<string> = new Set(IDENTIFIERS.trim().toLowerCase().split(/\s+/));

/**
 * Class of a licence: `osi` for an open-source SPDX expression, `other` for any other text, `none` for an explicit
 * statement that there is no licence.
 */
export type LicenseClass = 'osi' | 'other' | 'none';

// Texts for "no licence": SPDX's NONE, npm's UNLICENSED (which differs from the Unlicense) and plain words.
const NO_LICENSE = new Set(['none', 'unlicensed', 'no license', 'no licence']);

/**
 * Classifies a licence text; null for blank text. Only an identifier of `OSI_LICENSES`, or a flat SPDX expression that
 * grants such a licence, is `osi`. NOASSERTION (a licence file that the host could not identify), mistyped identifiers
 * and free text are `other`.
 */
export function licenseClass(text: string): LicenseClass | null {
  const stated = text.trim().toLowerCase();
  if (stated === '') return null;
  if (NO_LICENSE.has(stated)) return 'none';
  return grantsOpenSource(stated) ? 'osi' : 'other';
}

// Evaluates a flat SPDX expression: in one alternative (OR), all parts (AND) must be open source. An exception (WITH)
// only adds permissions; "+" means "or later". Nested expressions are `other`.
function grantsOpenSource(expression: string): boolean {
  const flat = expression.startsWith('(') && expression.endsWith(')') ? expression.slice(1, -1) : expression;
  const words = flat.trim().split(/\s+/u);
  return splitAt(words, 'or').some((alternative) => splitAt(alternative, 'and').every(isOpenSource));
}

function splitAt(words: readonly string[], separator: string): string[][] {
  const groups: string[][] = [[]];
  for (const word of words) {
    if (word === separator) groups.push([]);
    else groups.at(-1)?.push(word);
  }
  return groups;
}

function isOpenSource([identifier = '', joint, ...exception]: readonly string[]): boolean {
  const alone = joint === undefined || (joint === 'with' && exception.length === 1);
  return alone && (OSI_LICENSES.has(identifier) || OSI_LICENSES.has(identifier.replace(/\+$/u, '')));
}

import { readFile } from 'node:fs/promises';
import {
  AbortError,
  ConfigurationError,
  checkTrust,
  type TrustCheck,
  type TrustDirectory,
  type TrustPolicy,
} from '../../src/index.ts';
import type { Command, GivenOptions } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { reportOf } from '../failure-text.ts';
import { textOf } from '../read-command-line.ts';
import { scoreFields } from '../show-score.ts';
import { fieldLines, flow, type Page, paragraph } from '../text/layout.ts';
import type { Style } from '../text/paint.ts';

/** The result for one subject. */
interface Verdict extends Pick<TrustCheck, 'reasons' | 'record'> {
  readonly subject: string;
  /** Without a policy, what nothing speaks against is not told. */
  readonly verdict: 'trusted' | 'refused' | 'could not tell';
  /** Why it couldn't be checked; null otherwise. */
  readonly failure: string | null;
}

const STYLE: Readonly<Record<Verdict['verdict'], Style>> = {
  trusted: 'green',
  refused: 'red',
  'could not tell': 'yellow',
};

/** A gate for scripts. Free, without a key. */
export const check: Command = {
  name: 'check',
  takes: '<anything>…',
  count: [1, 100],
  summary: 'Whether subjects meet a policy, by their stored scores; ends with a code for scripts. Free.',
  details: [
    'Ends with 0 only if every subject meets the policy, with 8 if one does not, else with 9 if one could not be checked. Without a policy that names a least trust, confidence or tier, it never ends with 0. With --report-only it prints the same and ends with 0.',
    'A policy is JSON with any of minTrust, minConfidence, minTier, maxAgeDays and type. Anything else in it is refused.',
  ],
  options: {
    policy: { value: 'FILE', means: 'the policy, a file of JSON' },
    'min-trust': { value: 'NUMBER', means: 'least trust, 0 to 100; wins over the file' },
    'min-confidence': { value: 'NUMBER', means: 'least confidence, 0 to 100; wins over the file' },
    'report-only': { means: 'end with 0 whatever the verdicts' },
  },
  examples: [
    [
      'trust-directory check google-gemini/gemini-cli --min-trust 60 && npm install',
      'Before an installation',
    ],
    ['trust-directory check npm:a npm:b --policy policy.json --json', 'Several, for a script'],
  ],
  async run({ words, options, output, signal, client }) {
    const policy = await policyOf(options);
    const directory = await client();
    const checks: Verdict[] = [];
    for (const subject of words) checks.push(await verdictOn(subject, policy, directory, signal));
    const exitCode = codeOf(checks);
    output.result({ ok: exitCode === EXIT.ok, checks }, (safe, page) =>
      safe.checks.flatMap((each) => verdictLines(each, page)),
    );
    if (checks.some(hasNoPolicy)) output.aside(null, (_, page) => paragraph(POLICY_HINT, page));
    return options['report-only'] === true ? EXIT.ok : exitCode;
  },
};

const POLICY_HINT =
  'For a yes or no, say what is enough: --min-trust, --min-confidence or --policy. To only look, add --report-only.';

const hasNoPolicy = ({ reasons }: Pick<Verdict, 'reasons'>) =>
  reasons.some(({ code }) => code === 'no_policy');

function codeOf(checks: readonly Verdict[]): ExitCode {
  if (checks.some(({ verdict }) => verdict === 'refused')) return EXIT.refused;
  return checks.every(({ verdict }) => verdict === 'trusted') ? EXIT.ok : EXIT.untold;
}

async function policyOf(options: GivenOptions): Promise<TrustPolicy> {
  const path = textOf(options, 'policy');
  const stored = path === undefined ? {} : await readPolicy(path);
  const minTrust = scoreOf(options, 'min-trust');
  const minConfidence = scoreOf(options, 'min-confidence');
  return {
    ...stored,
    ...(minTrust !== undefined && { minTrust }),
    ...(minConfidence !== undefined && { minConfidence }),
  };
}

async function readPolicy(path: string): Promise<TrustPolicy> {
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(EXIT.usage, `The policy ${path} can't be read (${code}).`);
  });
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    throw new CommandError(EXIT.usage, `The policy ${path} is not JSON.`);
  }
  if (typeof policy === 'object' && policy !== null && !Array.isArray(policy)) return policy;
  throw new CommandError(EXIT.usage, `The policy ${path} must be a JSON object, such as {"minTrust": 60}.`);
}

function scoreOf(options: GivenOptions, name: string): number | undefined {
  const text = textOf(options, name);
  if (text === undefined) return undefined;
  if (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text);
  throw new CommandError(
    EXIT.usage,
    `--${name} must be a number from 0 to 100, not ${JSON.stringify(text)}.`,
  );
}

/** Rejects for a policy that can't be used, and where the caller stopped it: then there is no verdict on anything. */
async function verdictOn(
  subject: string,
  policy: TrustPolicy,
  directory: TrustDirectory,
  signal: AbortSignal,
): Promise<Verdict> {
  try {
    const { ok, reasons, record } = await checkTrust(directory, subject, policy, { signal });
    const verdict = ok ? 'trusted' : hasNoPolicy({ reasons }) ? 'could not tell' : 'refused';
    return { subject, verdict, reasons, record, failure: null };
  } catch (error) {
    if (error instanceof ConfigurationError)
      throw new CommandError(EXIT.usage, `The policy can't be used: ${error.message}`);
    if (error instanceof AbortError) throw error;
    const failure = reportOf(error).sentences.join(' ');
    return { subject, verdict: 'could not tell', reasons: [], record: null, failure };
  }
}

function verdictLines(found: Verdict, page: Page): string[] {
  const { subject, verdict, reasons, record, failure } = found;
  const name = record && record.name !== subject ? ` (${record.name})` : '';
  return [
    ...flow(
      [
        [subject + name, 'bold'],
        [verdict, STYLE[verdict]],
      ],
      page,
    ),
    // The person judges, who has given no policy.
    ...(record && hasNoPolicy(found) ? fieldLines(scoreFields(record), page) : []),
    ...reasons.flatMap(({ message }) => paragraph(message, page, null, 2)),
    ...(failure ? paragraph(failure, page, null, 2) : []),
  ];
}

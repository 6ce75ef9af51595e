import { readFile } from 'node:fs/promises';
import {
  AbortError,
  ConfigurationError,
  checkTrust,
  type TrustCheck,
  type TrustDirectory,
  type TrustPolicy,
} from '../../src/index.ts';
import type { Command, ParsedOptions } from '../command.ts';
import { createErrorReport } from '../error-report.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { scoreFields } from '../format-score.ts';
import { textOption } from '../read-command-line.ts';
import type { Style } from '../text/colors.ts';
import { fieldLines, flow, type Page, paragraph } from '../text/layout.ts';

/** Result for one subject. */
interface Verdict extends Pick<TrustCheck, 'reasons' | 'record'> {
  readonly subject: string;
  /** `could not tell` if there is no policy or the check failed. */
  readonly verdict: 'trusted' | 'refused' | 'could not tell';
  /** Error of a failed check; otherwise null. */
  readonly failure: string | null;
}

const STYLE: Readonly<Record<Verdict['verdict'], Style>> = {
  trusted: 'green',
  refused: 'red',
  'could not tell': 'yellow',
};

/** Checks subjects against a policy, as a gate for scripts. Free, without a key. */
export const check: Command = {
  name: 'check',
  argument: '<anything>…',
  argumentCount: [1, 100],
  summary: 'Check stored scores against a policy; the exit code is for scripts. Free.',
  details: [
    'Exits with 0 only if every subject meets the policy, with 8 if one does not, and otherwise with 9 if one could not be checked. Without a minimum trust, confidence or tier it never exits with 0. With --report-only it prints the same and exits with 0.',
    'A policy is a JSON object with any of minTrust, minConfidence, minTier, maxAgeDays and type. Other members are an error.',
  ],
  options: {
    policy: { value: 'FILE', description: 'JSON file with the policy' },
    'min-trust': { value: 'NUMBER', description: 'minimum trust, 0 to 100; overrides the file' },
    'min-confidence': { value: 'NUMBER', description: 'minimum confidence, 0 to 100; overrides the file' },
    'report-only': { description: 'exit with 0 whatever the result' },
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
  'Set a minimum with --min-trust, --min-confidence or --policy. To only see the scores, add --report-only.';

const hasNoPolicy = ({ reasons }: Pick<Verdict, 'reasons'>) =>
  reasons.some(({ code }) => code === 'no_policy');

function codeOf(checks: readonly Verdict[]): ExitCode {
  if (checks.some(({ verdict }) => verdict === 'refused')) return EXIT.refused;
  return checks.every(({ verdict }) => verdict === 'trusted') ? EXIT.ok : EXIT.undecided;
}

async function policyOf(options: ParsedOptions): Promise<TrustPolicy> {
  const path = textOption(options, 'policy');
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

function scoreOf(options: ParsedOptions, name: string): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  if (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text);
  throw new CommandError(
    EXIT.usage,
    `--${name} must be a number from 0 to 100, not ${JSON.stringify(text)}.`,
  );
}

/** Checks one subject. Rejects for an invalid policy and after Ctrl-C, which end the whole command. */
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
      throw new CommandError(EXIT.usage, `Invalid policy: ${error.message}`);
    if (error instanceof AbortError) throw error;
    const failure = createErrorReport(error).sentences.join(' ');
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
    // Without a policy, show the scores for the user to judge.
    ...(record && hasNoPolicy(found) ? fieldLines(scoreFields(record), page) : []),
    ...reasons.flatMap(({ message }) => paragraph(message, page, null, 2)),
    ...(failure ? paragraph(failure, page, null, 2) : []),
  ];
}

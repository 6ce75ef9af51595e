import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import {
  type Baseline,
  BaselineError,
  baselineOf,
  parseBaseline,
  withBaseline,
} from '../../check/baseline.ts';
import { type Check, checkItems } from '../../check/checks.ts';
import { type Collected, collectItems, PathError } from '../../check/collect-items.ts';
import { toCycloneDx } from '../../check/cyclonedx.ts';
import type { CheckItem } from '../../check/item.ts';
import { type LookUp, type LookupAnswer, lookUpOnline } from '../../check/look-up-items.ts';
import { toSarif } from '../../check/sarif.ts';
import { lookUpOffline, parseSnapshot, SnapshotError, writeSnapshot } from '../../check/snapshot.ts';
import { tableLines } from '../../check/table.ts';
import {
  ConfigurationError,
  checkedPolicy,
  isDemanding,
  POLICY_PRESETS,
  type TrustPolicy,
  VERSION,
} from '../../src/index.ts';
import type { Command, Invocation, ParsedOptions } from '../command.ts';
import { createErrorReport } from '../error-report.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { listOption, textOption } from '../read-command-line.ts';
import { paragraph } from '../text/layout.ts';
import { safeJson } from '../text/safe-text.ts';

const FORMATS = ['table', 'json', 'sarif', 'cyclonedx'];

/** Checks lock files, MCP settings, skills and named subjects against a policy, for use in CI. Free, without a key. */
export const check: Command = {
  name: 'check',
  argument: '[PATH or subject]…',
  argumentCount: [0, 1_000],
  summary: 'Check lock files, MCP settings, skills and subjects against a policy, before an install. Free.',
  details: [
    'An argument that begins with . or / is a path, all else a subject; without one, the current folder is checked. Of a folder, check reads package-lock.json, npm-shrinkwrap.json, pnpm-lock.yaml, yarn.lock, uv.lock, poetry.lock, requirements*.txt, MCP settings and SKILL.md. It executes nothing, and sends only names and versions. A package of a private registry is listed as not checked, and not sent.',
    'Exits with 0 only if everything meets the policy, with 8 if something does not, and otherwise with 9 if something could not be checked. Without a policy it exits with 8 for a Warning or a removed subject, and otherwise with 9, never with 0. With --report-only it prints the same and exits with 0.',
    'A policy is a JSON object with any of minTrust, minConfidence, minTier, verified, verdict, notAffected, maxAge, allow, deny and type. Other members are an error.',
  ],
  options: {
    policy: { value: 'NAME|FILE', description: `${Object.keys(POLICY_PRESETS).join(', ')}, or a JSON file` },
    'min-trust': { value: 'NUMBER', description: 'minimum trust, 0 to 100; overrides the policy' },
    'min-confidence': { value: 'NUMBER', description: 'minimum confidence, 0 to 100; overrides the policy' },
    'report-only': { description: 'exit with 0 whatever the result' },
    path: {
      value: 'PATH',
      isRepeatable: true,
      description: 'check this path, whatever it begins with; any number of times',
    },
    format: { value: 'FORMAT', words: FORMATS, description: 'print in this format' },
    sarif: { value: 'FILE', description: 'write SARIF to this file, too' },
    baseline: { value: 'FILE', description: 'accept what this file has' },
    'write-baseline': { value: 'FILE', description: 'write what is found now to this file, and accept it' },
    offline: { value: 'FILE', description: 'look up in this snapshot, and send nothing' },
    export: {
      value: 'FILE',
      description: 'write the answers about what is checked to this file, for --offline',
    },
    mirror: { value: 'HOSTS', description: 'hosts that mirror the public registries, separated by commas' },
  },
  examples: [
    [
      'trust-directory check --policy recommended && npm install',
      'Before an installation, in the folder of a project',
    ],
    ['trust-directory check google-gemini/gemini-cli --min-trust 60', 'One subject'],
    [
      'trust-directory check ./package-lock.json --policy policy.json --sarif check.sarif',
      'For code scanning',
    ],
    ['trust-directory check ~/.cursor/mcp.json --report-only', 'Only show what is known'],
    [
      'trust-directory check . --policy recommended --offline snapshot.ndjson',
      'Without a network, in the file that trust-directory snapshot wrote',
    ],
  ],
  async run(invocation) {
    const { options, output, environment } = invocation;
    const format = formatOf(options);
    const policy = await policyOf(options);
    const baseline = await readParsed(options, 'baseline', parseBaseline, BaselineError);
    const collected = collect(invocation, environment);
    const answers = new Map<string, LookupAnswer>();
    const lookUp = await openLookUp(invocation, answers);
    const describe = (failure: unknown) => createErrorReport(failure).sentences.join(' ');
    const found = [
      ...collected.problems.map(problemCheck),
      ...(await checkItems(collected.items, { policy, lookUp, describe })),
    ];
    const written = await writeBaseline(options, found);
    const accepted = written ?? baseline;
    const checks = accepted ? withBaseline(found, accepted) : found;
    const exitCode = codeOf(checks, policy);
    await writeTo(options, 'sarif', () => `${JSON.stringify(toSarif(checks, VERSION), null, 2)}\n`);
    await writeTo(options, 'export', () => writeSnapshot(answers.values(), new Date()));
    const { files, local } = collected;
    const result = { ok: exitCode === EXIT.ok, files, local, checks };
    if (format === 'sarif') output.text(() => [safeJson(toSarif(checks, VERSION))]);
    else if (format === 'cyclonedx') output.text(() => [safeJson(toCycloneDx(checks, VERSION, new Date()))]);
    else if (format === 'json') output.text(() => [safeJson(result)]);
    else output.result(result, (safe, page) => tableLines(safe.checks, page));
    if (!isDemanding(policy))
      output.aside(null, (_, page) => (output.isJson ? [] : paragraph(POLICY_HINT, page)));
    return options['report-only'] === true ? EXIT.ok : exitCode;
  },
};

const POLICY_HINT =
  'No policy: nothing was decided. Set one with --policy recommended, --policy FILE or --min-trust. To only see what is known, add --report-only.';

function codeOf(checks: readonly Check[], policy: TrustPolicy): ExitCode {
  const open = checks.filter(({ verdict, baseline }) => verdict !== 'passed' && !baseline);
  if (open.some(({ verdict }) => verdict === 'refused')) return EXIT.refused;
  // Without requirements, a check passes only if `allow` names its subject, and all checks must pass. A finding that the
  // baseline accepts has not passed, so a baseline without a policy decides nothing.
  const isDecided =
    isDemanding(policy) || (checks.length > 0 && checks.every(({ verdict }) => verdict === 'passed'));
  return open.length === 0 && isDecided ? EXIT.ok : EXIT.undecided;
}

function formatOf(options: ParsedOptions): string {
  const format = textOption(options, 'format') ?? 'table';
  if (FORMATS.includes(format)) return format;
  throw new CommandError(EXIT.usage, `--format must be one of: ${FORMATS.join(', ')}.`);
}

/** Collects the items from the subjects, files and folders on the command line. */
function collect({ words, options }: Invocation, environment: Invocation['environment']): Collected {
  const isPath = (word: string) => /^[./]/.test(word);
  const subjects = words.filter((word) => !isPath(word));
  const paths = [...words.filter(isPath), ...listOption(options, 'path')];
  const around = {
    folder: process.cwd(),
    environment,
    home: environment.HOME || homedir(),
    mirrors:
      textOption(options, 'mirror')
        ?.split(',')
        .map((host) => host.trim()) ?? [],
  };
  try {
    const nothingNamed = subjects.length + paths.length === 0;
    const collected =
      nothingNamed || paths.length > 0 ? collectItems(nothingNamed ? ['.'] : paths, around) : NONE;
    return { ...collected, items: [...subjects.map(subjectItem), ...collected.items] };
  } catch (error) {
    if (error instanceof PathError) throw new CommandError(EXIT.usage, error.message);
    throw error;
  }
}

const NONE: Collected = { items: [], files: [], local: 0, problems: [] };

const subjectItem = (subject: string): CheckItem => ({
  label: subject,
  name: subject,
  subject,
  version: null,
  file: null,
  line: null,
  skipped: null,
});

/** Creates the look-up, online or from a snapshot, and keeps its answers so that they can be exported. */
async function openLookUp(
  { options, output, client, signal }: Invocation,
  answers: Map<string, LookupAnswer>,
): Promise<LookUp> {
  const snapshot = await readParsed(options, 'offline', parseSnapshot, SnapshotError);
  if (snapshot)
    output.aside(snapshot.exportedAt, (time, page) =>
      output.isJson ? [] : paragraph(`Looked up in a snapshot of ${time}. It has nothing later.`, page),
    );
  const lookUp = snapshot ? lookUpOffline(snapshot) : lookUpOnline(await client(), { signal });
  return async (subjects) => {
    const results = await lookUp(subjects);
    for (const [subject, result] of results) if (!('failure' in result)) answers.set(subject, result);
    return results;
  };
}

/** Creates the result for a file that can't be read, so that the file does not count as passed. */
const problemCheck = ({ file, message }: Collected['problems'][number]): Check => ({
  subject: file,
  name: file,
  version: null,
  verdict: 'could not tell',
  severity: 'unknown',
  reasons: [],
  record: null,
  advisories: [],
  unaffected: null,
  locations: [{ file, line: Number(/line (\d+)/.exec(message)?.[1] ?? 1) }],
  failure: message,
  baseline: false,
});

async function writeBaseline(
  options: ParsedOptions,
  checks: readonly Check[],
): Promise<Baseline | undefined> {
  const baseline = baselineOf(checks);
  const isWritten = await writeTo(options, 'write-baseline', () => `${JSON.stringify(baseline, null, 2)}\n`);
  return isWritten ? baseline : undefined;
}

/** Writes the content to the file that an option names. Returns false if the option is not given. */
async function writeTo(options: ParsedOptions, name: string, content: () => string): Promise<boolean> {
  const path = textOption(options, name);
  if (path === undefined) return false;
  await writeFile(path, content()).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(EXIT.usage, `The file ${path} of --${name} can't be written (${code}).`);
  });
  return true;
}

/** Reads and parses the file that an option names. Returns undefined if the option is not given. */
async function readParsed<Value>(
  options: ParsedOptions,
  name: string,
  parse: (text: string) => Value,
  kind: new (message: string) => Error,
): Promise<Value | undefined> {
  const path = textOption(options, name);
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(EXIT.usage, `The file ${path} of --${name} can't be read (${code}).`);
  });
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof kind)
      throw new CommandError(EXIT.usage, `The file ${path} of --${name} ${error.message}`);
    throw error;
  }
}

async function policyOf(options: ParsedOptions): Promise<TrustPolicy> {
  const named = textOption(options, 'policy');
  const stored = named === undefined ? {} : await namedPolicy(named);
  const minTrust = scoreOf(options, 'min-trust');
  const minConfidence = scoreOf(options, 'min-confidence');
  try {
    return checkedPolicy({
      ...stored,
      ...(minTrust !== undefined && { minTrust }),
      ...(minConfidence !== undefined && { minConfidence }),
    });
  } catch (error) {
    if (error instanceof ConfigurationError)
      throw new CommandError(EXIT.usage, `Invalid policy: ${error.message}`);
    throw error;
  }
}

async function namedPolicy(named: string): Promise<TrustPolicy> {
  if (Object.hasOwn(POLICY_PRESETS, named)) return POLICY_PRESETS[named as keyof typeof POLICY_PRESETS];
  const presets = Object.keys(POLICY_PRESETS).join(', ');
  const text = await readFile(named, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(EXIT.usage, `The policy ${named} can't be read (${code}). Presets: ${presets}.`);
  });
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    throw new CommandError(EXIT.usage, `The policy ${named} is not JSON.`);
  }
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy)) {
    throw new CommandError(
      EXIT.usage,
      `The policy ${named} must be a JSON object, such as {"minTrust": 60}.`,
    );
  }
  // Editors find the schema by `$schema`. Any other unknown member is an error, even one named __proto__.
  const { $schema, ...members } = policy as Record<string, unknown>;
  return members;
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

import {
  AbortError,
  ApiError,
  ConnectionError,
  InsufficientCreditsError,
  type Operation,
  type Quote,
  TimeoutError,
  type TrustDirectory,
} from '../../src/index.ts';
import { OPERATIONS, SCORE_OF } from '../allowed-values.ts';
import type { Command, Invocation } from '../command.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { priceLines, runLines } from '../format-run.ts';
import { textOption } from '../read-command-line.ts';
import { paragraph } from '../text/layout.ts';

/** Call to run. `key` is the idempotency key: a repeated command with the same key repeats the same call. */
interface ScoreRequest {
  readonly operation: Operation;
  readonly subject: string;
  readonly key: string;
}

/** Runs a metered operation. Shows its price first and, without `--yes`, asks for confirmation. */
export const score: Command = {
  name: 'score',
  argument: '<anything>',
  argumentCount: [1, 1],
  summary: 'Run a fresh score or a lineage report. Costs credits; asks first. Needs a key.',
  details: [
    'A dry run first shows the price and the balance that would pay. Nothing runs without your confirmation; scripts confirm with --yes.',
    'After a failure, run it again with the printed idempotency key: you are charged at most once.',
  ],
  options: {
    operation: {
      value: 'OPERATION',
      words: OPERATIONS,
      description: 'operation to run; by default the score of the subject’s type',
    },
    'dry-run': { description: 'show the price only' },
    yes: { description: 'run without asking' },
    'idempotency-key': { value: 'KEY', description: 'repeat an earlier call' },
  },
  examples: [
    ['trust-directory score google-gemini/gemini-cli', 'Price first, then a question'],
    ['trust-directory score upstash/context7 --operation agent_skill_lineage', 'A lineage report'],
    ['trust-directory score owner/repo --yes --json | jq .result.scores', 'For a script'],
  ],
  async run(invocation) {
    const { words, options, signal, output } = invocation;
    const isDry = options['dry-run'] === true;
    if (!isDry) requireConsent(invocation);
    const client = await invocation.clientWithKey();
    const [subject = ''] = words;
    const operation = textOption(options, 'operation') ?? (await operationFor(client, subject, signal));
    const request: ScoreRequest = {
      operation: operation as Operation,
      subject,
      key: textOption(options, 'idempotency-key') ?? crypto.randomUUID(),
    };
    const quote = await quoteOf(client, request, invocation);
    if (isDry) {
      output.result(quote, (safe, page) => (safe ? priceLines(safe, page) : []));
      return EXIT.ok;
    }
    if (quote) output.aside(quote, priceLines);
    if (options.yes !== true && !(await invocation.confirm?.('Run it?'))) {
      output.aside(null, (_, page) => paragraph('Nothing was run, and nothing was spent.', page));
      return EXIT.declined;
    }
    return run(client, request, invocation);
  },
};

function requireConsent({ options, confirm }: Invocation): void {
  if (options.yes === true || confirm) return;
  throw new CommandError(
    EXIT.usage,
    'This costs credits, and there is no terminal to confirm on. Add --yes to confirm, or --dry-run to see the price.',
  );
}

async function operationFor(
  { subjects }: TrustDirectory,
  subject: string,
  signal: AbortSignal,
): Promise<string> {
  const { type } = await subjects.lookup(subject, {}, { signal });
  const operation = Object.hasOwn(SCORE_OF, type) ? SCORE_OF[type as keyof typeof SCORE_OF] : undefined;
  if (operation) return operation;
  throw new CommandError(EXIT.usage, `No default operation for the type ${type}. Set one with --operation.`);
}

/**
 * Reads the price. Returns null if the balance can't pay it but the user repeats an earlier call with --yes: if that
 * call was charged already, repeating it costs nothing. In any other case, throws if the balance can't pay it.
 */
async function quoteOf(
  client: TrustDirectory,
  request: ScoreRequest,
  { options, signal }: Invocation,
): Promise<Quote | null> {
  const { operation, subject, key } = request;
  try {
    return await client.operations.quote({ operation, subject, idempotency_key: key }, { signal });
  } catch (failure) {
    const mayBePaid = options.yes === true && textOption(options, 'idempotency-key') !== undefined;
    if (failure instanceof InsufficientCreditsError && mayBePaid) return null;
    throw failure;
  }
}

async function run(client: TrustDirectory, request: ScoreRequest, { signal, output }: Invocation) {
  const { operation, subject, key } = request;
  try {
    const done = await client.operations.run(
      { operation, subject, idempotency_key: key },
      { signal, onReplay: 'lookup' },
    );
    output.result(done, runLines);
    return EXIT.ok;
  } catch (failure) {
    if (mayHaveRun(failure)) {
      output.aside(request, (safe, page) => [
        ...paragraph('The outcome is unknown. To retry without a second charge:', page),
        ...resumeLines(safe).map((line) => page.paint('cyan', line)),
      ]);
    }
    throw failure;
  }
}

/** Returns whether the service may have charged the failed call. */
function mayHaveRun(failure: unknown): boolean {
  if (failure instanceof ApiError) {
    return failure.status >= 500 || failure.status === 200 || failure.code === 'idempotency_in_progress';
  }
  return [AbortError, ConnectionError, TimeoutError].some((kind) => failure instanceof kind);
}

/** Formats the command to repeat, with line continuations, so that it can be copied as a whole. */
function resumeLines({ subject, operation, key }: ScoreRequest): string[] {
  const quoted = /^[\w@:/.#-]+$/.test(subject) ? subject : `'${subject.replaceAll("'", "'\\''")}'`;
  return [
    `  trust-directory score ${quoted} \\`,
    `    --operation ${operation} \\`,
    `    --idempotency-key ${key}`,
  ];
}

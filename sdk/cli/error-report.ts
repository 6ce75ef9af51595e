import * as sdk from '../src/index.ts';
import { CommandError, EXIT, type ExitCode } from './exit-code.ts';

/** Error report: sentences and exit code. */
interface ErrorReport {
  readonly exitCode: ExitCode;
  /** Sentences, one paragraph each. */
  readonly sentences: readonly string[];
}

const KINDS: readonly (readonly [kind: abstract new (...details: never[]) => Error, exitCode: ExitCode])[] = [
  [sdk.ConfigurationError, EXIT.usage],
  [sdk.AbortError, EXIT.interrupted],
  [sdk.ConnectionError, EXIT.unavailable],
  [sdk.TimeoutError, EXIT.unavailable],
];

const EXIT_OF_STATUS: Readonly<Record<number, ExitCode>> = {
  400: EXIT.usage,
  401: EXIT.credential,
  402: EXIT.credits,
  403: EXIT.credential,
  404: EXIT.notFound,
  410: EXIT.notFound,
  413: EXIT.usage,
  422: EXIT.usage,
  429: EXIT.unavailable,
  502: EXIT.unavailable,
  503: EXIT.unavailable,
  504: EXIT.unavailable,
};

function exitCodeOf(failure: unknown): ExitCode {
  if (failure instanceof CommandError) return failure.exitCode;
  if (failure instanceof sdk.ConflictError) {
    return failure.code === 'subject_ambiguous' ? EXIT.notFound : EXIT.unavailable;
  }
  if (failure instanceof sdk.UnexpectedAnswerError) return EXIT.failure;
  if (failure instanceof sdk.ApiError) return EXIT_OF_STATUS[failure.status] ?? EXIT.failure;
  return KINDS.find(([kind]) => failure instanceof kind)?.[1] ?? EXIT.failure;
}

/** Describes an error: what happened and what to do, without a stack trace. */
export function createErrorReport(failure: unknown): ErrorReport {
  return { exitCode: exitCodeOf(failure), sentences: sentencesOf(failure) };
}

function sentencesOf(failure: unknown): string[] {
  if (failure instanceof CommandError) return failure.message.split('\n');
  if (failure instanceof sdk.AbortError) return ['Stopped.'];
  if (failure instanceof sdk.ConnectionError) {
    const hint =
      'Check that the service is running, or set another address with --url or TRUST_DIRECTORY_URL.';
    return [`${sentence(failure.message)} ${hint}`];
  }
  if (failure instanceof sdk.TimeoutError) return ['The service did not respond in time. Try again later.'];
  if (failure instanceof sdk.ApiError) return ofAnswer(failure);
  if (failure instanceof sdk.TrustDirectoryError) return [sentence(failure.message)];
  const { message } = failure as { message?: unknown };
  return [`This program failed: ${sentence(String(message ?? failure))}`];
}

function ofAnswer(error: sdk.ApiError): string[] {
  const { message, candidates, retryAfterMs, requestId, status } = error;
  const wait = retryAfterMs === null ? '' : ` Try again in ${Math.ceil(retryAfterMs / 1000)} seconds.`;
  const isWaitSaid = /try again in/i.test(message);
  return [
    `${sentence(message)}${isWaitSaid ? '' : wait}`,
    ...candidates.map((each) => `${each.canonical_id} ${each.type} ${each.name} (${each.public_path})`),
    ...(status >= 500 && requestId ? [`Request id for support: ${requestId}.`] : []),
  ];
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

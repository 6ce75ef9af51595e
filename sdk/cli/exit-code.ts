/** Exit codes, documented in `--help` and docs/command-line.md. */
export const EXIT = {
  ok: 0,
  /** The service or this program failed, or the service rejected the call with a status without its own exit code. */
  failure: 1,
  /** Command line, settings or request are invalid; the same call would fail again. */
  usage: 2,
  /** The subject is unknown, ambiguous or delisted. */
  notFound: 3,
  /** The access key is missing, refused or lacks permission. */
  credential: 4,
  /** No free calls or credits are left. */
  credits: 5,
  /** No response, too many requests, a call in progress, or temporarily unavailable; the same call may work later. */
  unavailable: 6,
  /** The user declined to spend; nothing was spent. */
  declined: 7,
  /** `check`: an item does not meet the policy or, without a policy, has a Warning or was removed. */
  refused: 8,
  /**
   * `check`: an item could not be checked, or there is no policy. `recompute`: this program does not know the method.
   */
  undecided: 9,
  /** `verify`, `recompute`: the document must not be trusted, or its inputs do not give its score. */
  invalid: 10,
  /** Command interrupted by Ctrl-C. */
  interrupted: 130,
} as const;

/** Exit code of the program. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Meaning of each exit code, for help and documentation. */
export const EXIT_MEANINGS: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.ok, 'success'],
  [EXIT.failure, 'failure'],
  [EXIT.usage, 'invalid command line, setting or request'],
  [EXIT.notFound, 'not found, delisted or ambiguous'],
  [EXIT.credential, 'access key missing, invalid or without permission'],
  [EXIT.credits, 'no free calls or credits left'],
  [EXIT.unavailable, 'no response, too many requests or temporarily unavailable: try later'],
  [EXIT.declined, 'declined by you; nothing was spent'],
  [EXIT.refused, 'check: something does not meet the policy, has a Warning or was removed'],
  [EXIT.undecided, 'check: could not tell, or there is no policy; recompute: the method is not known here'],
  [EXIT.invalid, 'verify, recompute: the document is not valid, or its score differs'],
  [EXIT.interrupted, 'Ctrl-C'],
];

/** Ends a command. The program prints the message, which says what to do, and exits with the code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

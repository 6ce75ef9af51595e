/** How the program ended, for scripts. `--help` and the documentation list them. */
export const EXIT = {
  ok: 0,
  /** The service or this program failed, or the service refused in a way that has no code of its own. */
  failure: 1,
  /** The command line, the settings or the request are wrong: the same call can't work. */
  usage: 2,
  /** Nothing has this name, several subjects have it, or the operator removed it from the directory. */
  notFound: 3,
  /** No access key, or one that is refused or not allowed to do this. */
  credential: 4,
  /** No free call or credit is left. */
  credits: 5,
  /** Too many requests, no answer, or a service that can't answer just now: the same call may work later. */
  later: 6,
  /** The question before spending was answered with no; nothing was spent. */
  declined: 7,
  /** A subject doesn't meet the policy of `check`, or was removed from the directory. */
  refused: 8,
  /** `check` couldn't find out whether a subject meets the policy, or had none. */
  untold: 9,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** One of the codes above. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What each code means, for people. */
export const EXIT_MEANINGS: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.ok, 'success'],
  [EXIT.failure, 'failure'],
  [EXIT.usage, 'the command line, a setting or the request is wrong'],
  [EXIT.notFound, 'not found, delisted, or an ambiguous name'],
  [EXIT.credential, 'no access key, or one that is not allowed to do this'],
  [EXIT.credits, 'no free call or credit is left'],
  [EXIT.later, 'no answer, too many requests, or not just now: try later'],
  [EXIT.declined, 'you said no; nothing was spent'],
  [EXIT.refused, 'check: a subject does not meet the policy, is unknown or was removed'],
  [EXIT.untold, 'check: could not tell whether a subject meets the policy, or there is none'],
  [EXIT.interrupted, 'Ctrl-C'],
];

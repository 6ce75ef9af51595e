/** Files to break, and the tests that have to notice, the closest and quickest first. A name of `--only` has one or more. */
export interface Target {
  readonly files: readonly string[];
  /** Filters of vitest; what one stage lets pass goes to the next. */
  readonly stages: readonly (readonly string[])[];
}

const LEDGER = [
  'account-buckets.repository',
  'adjust',
  'adjust.sql',
  'caller.sql',
  'change-period',
  'change-period.sql',
  'fail',
  'fail.sql',
  'grant',
  'grant.sql',
  'locked-buckets.sql',
  'open-period',
  'open-period.sql',
  'quote',
  'quote.sql',
  'reap',
  'reap.sql',
  'reserve',
  'reserve.sql',
  'settle',
  'settle.sql',
  'verify',
  'verify.sql',
];
/** Hold and charge as one, and what it shares with holding and with settling. */
const CHARGE = ['charge', 'charge.sql', 'picked.sql', 'recorded-scores.sql', 'stored-evidence'];
/** What a call is judged by before anything is held, and what its outcome is told from. */
const CALL_READS = [
  'ledger/look-up',
  'ledger/look-up.condition',
  'ledger/read-run',
  'operations/identify-call',
  'operations/read-call',
  'operations/read-call.sql',
  'operations/require-subject',
];
const CALLS = [
  'admit-call',
  'afford-call',
  'ask-backend',
  'earlier-run',
  'metered-operation',
  'operation-call',
  'run-operation',
];
const OUTCOMES = ['charge-run', 'end-run', 'open-run', 'open-surely'];
const CALLERS = [
  'authenticate',
  'caller.condition',
  'caller.repository',
  'credential-errors',
  'secret',
  'standing.condition',
];
const KEYS = ['create-key', 'free-slot', 'key.repository', 'key-slots', 'pause-key', 'replace-key'];

const inFolder = (folder: string, names: readonly string[]) =>
  names.map((name) => `server/src/${folder}/${name}.ts`);

const TORTURE = ['torture/model-check', 'torture/interleavings'];

/** What sends calls together, and what came with it: each file with the tests that are closest to it. */
const BATCHES: readonly Target[] = [
  {
    files: [
      ...inFolder('database', ['coalesce', 'turns', 'room', 'shared-room', 'batch.condition']),
      'server/src/ledger/ledger-turns.ts',
    ],
    stages: [
      ['server/src/database/coalesce', 'server/src/database/room', 'server/src/database/batch.condition'],
      ['server/src/ledger/reserve-batches', 'server/src/ledger/end-batches'],
      ['server/src/operations', 'server/src/subjects'],
    ],
  },
  {
    files: inFolder('database', ['read-together']),
    stages: [['server/src/database/read-together'], ['server/src/subjects']],
  },
  {
    files: inFolder('database', ['copy-rows', 'batch-source']),
    stages: [['server/src/database/copy-rows'], ['server/src/registry', 'server/src/scoring']],
  },
  {
    files: inFolder('database', ['send-statement']),
    stages: [
      ['server/src/database/connect.db', 'server/src/database/transaction.db'],
      ['server/src/database/prepared-statements', 'server/src/database/confirmed-client'],
    ],
  },
  {
    files: inFolder('database', ['refresh-statistics']),
    stages: [['server/src/database/refresh-statistics']],
  },
  {
    files: inFolder('scoring', ['score-row', 'score-evidence.condition']),
    stages: [['server/src/ledger/score-evidence'], ['server/src/scoring', 'server/src/ledger']],
  },
  {
    files: inFolder('http/kept-answers', ['answer-memory', 'keep-answers', 'keep-while-heard']),
    stages: [['kept-answers/answer-memory'], ['kept-answers/kept-answers']],
  },
];

/** The ledger, the metered call, what sends calls together, keys and rate limits. */
export const TARGETS: Readonly<Record<string, readonly Target[]>> = {
  ledger: [
    {
      files: inFolder('ledger', LEDGER),
      stages: [['server/src/ledger'], ['server/src/operations', 'server/src/balance'], TORTURE],
    },
    {
      files: inFolder('ledger', CHARGE),
      stages: [
        ['server/src/ledger/charge', 'server/src/ledger/reserve', 'server/src/ledger/score-evidence'],
        ['server/src/ledger'],
        ['server/src/operations', 'server/src/balance'],
        TORTURE,
      ],
    },
  ],
  calls: [
    {
      files: inFolder('operations', CALLS),
      stages: [['server/src/operations'], TORTURE],
    },
    {
      files: inFolder('operations', OUTCOMES),
      stages: [
        [
          'server/src/operations/lost',
          'server/src/operations/charge-run',
          'server/src/operations/late-holds',
        ],
        ['server/src/operations'],
        TORTURE,
      ],
    },
    {
      files: CALL_READS.map((name) => `server/src/${name}.ts`),
      stages: [
        ['server/src/operations/read-call', 'server/src/ledger/read-run', 'operations/run-operation'],
        ['server/src/operations', 'server/src/ledger'],
        TORTURE,
      ],
    },
  ],
  batches: BATCHES,
  keys: [
    {
      files: [...inFolder('callers', CALLERS), ...inFolder('keys', KEYS)],
      stages: [
        ['server/src/keys', 'server/src/callers'],
        ['server/src/http', 'server/src/operations', 'contract-tests/check-order'],
      ],
    },
  ],
  limits: [
    {
      files: inFolder('http/limits', ['rate-limits', 'limit-requests']),
      stages: [['server/src/http/limits'], ['server/src/http', 'contract-tests/check-order']],
    },
  ],
};

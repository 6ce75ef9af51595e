/** Files to mutate and the tests that must detect the mutants. A name of `--only` selects one or more targets. */
export interface Target {
  readonly files: readonly string[];
  /**
   * Stages of vitest filters, the closest and fastest tests first. A mutant that no test of a stage detects goes to the
   * next stage.
   */
  readonly stages: readonly (readonly string[])[];
}

const LEDGER = [
  'account-buckets.queries',
  'change-period',
  'fail',
  'grant-and-adjust',
  'reap',
  'reserve',
  'settle',
  'verify',
];
/** The statement that holds and charges at once, and the SQL that it shares with the separate hold and settle. */
const CHARGE = ['charge', 'ledger.sql', 'recorded-scores'];
/** Files with the reads of a call before credits are held, and with the read of its stored run. */
const CALL_READS = [
  'billing/ledger/billing-context',
  'billing/ledger/billing-context.fragment',
  'billing/ledger/read-run',
  'operations/call-context',
];
const CALLS = ['refusal-checks', 'ask-backend', 'operation-call', 'run-operation'];
const OUTCOMES = ['charge-run', 'end-run', 'open-run', 'open-run-with-retry'];
const CALLERS = [
  'access/callers/authenticate',
  'access/callers/caller.fragment',
  'access/callers/caller.queries',
  'platform/http/credentials/principal',
  'platform/http/credentials/secret',
];
const KEYS = ['create-key', 'key.queries', 'own-keys'];

const inFolder = (folder: string, names: readonly string[]) =>
  names.map((name) => `server/src/${folder}/${name}.ts`);

const TORTURE = ['torture/model-check', 'torture/interleavings'];

/** Files that `--only batches` selects, each with the tests that are closest to it. */
const BATCHES: readonly Target[] = [
  {
    files: [...inFolder('platform/batching', ['batcher', 'concurrency-control', 'batch-source'])],
    stages: [
      [
        'server/src/platform/batching/batcher',
        'server/src/platform/batching/concurrency-control',
        'server/src/platform/batching/batch.fragment',
      ],
      ['server/src/billing/ledger/reserve-batches', 'server/src/billing/ledger/end-batches'],
      ['server/src/operations', 'server/src/catalog/subjects'],
    ],
  },
  {
    files: inFolder('platform/batching', ['batched-read']),
    stages: [['server/src/platform/batching/batched-read'], ['server/src/catalog/subjects']],
  },
  {
    files: inFolder('platform/database', ['copy-rows']),
    stages: [['server/src/platform/database/copy-rows'], ['server/src/catalog', 'server/src/scoring']],
  },
  {
    files: inFolder('platform/database', ['send-statement']),
    stages: [
      ['server/src/platform/database/connect.db', 'server/src/platform/database/transaction.db'],
      ['server/src/platform/database/prepared-statements', 'server/src/platform/database/confirmed-client'],
    ],
  },
  {
    files: inFolder('platform/database', ['concurrent-index']),
    stages: [
      ['server/src/platform/database/refresh-statistics', 'server/src/platform/database/concurrent-index'],
    ],
  },
  {
    files: inFolder('scoring/scores', ['score-evidence.fragment']),
    stages: [
      ['server/src/billing/ledger/score-evidence'],
      ['server/src/scoring', 'server/src/billing/ledger'],
    ],
  },
  {
    files: inFolder('platform/http/response-cache', [
      'response-cache',
      'response-cache-plugin',
      'subscribe-to-invalidation',
    ]),
    stages: [['response-cache/response-cache'], ['response-cache/']],
  },
];

/** Targets by their names in `--only`: ledger, metered calls, batching, keys and rate limits. */
export const TARGETS: Readonly<Record<string, readonly Target[]>> = {
  ledger: [
    {
      files: inFolder('billing/ledger', LEDGER),
      stages: [
        ['server/src/billing/ledger'],
        ['server/src/operations', 'server/src/billing/balance'],
        TORTURE,
      ],
    },
    {
      files: inFolder('billing/ledger', CHARGE),
      stages: [
        [
          'server/src/billing/ledger/charge',
          'server/src/billing/ledger/reserve',
          'server/src/billing/ledger/score-evidence',
        ],
        ['server/src/billing/ledger'],
        ['server/src/operations', 'server/src/billing/balance'],
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
        ['server/src/operations/read-call', 'server/src/billing/ledger/read-run', 'operations/run-operation'],
        ['server/src/operations', 'server/src/billing/ledger'],
        TORTURE,
      ],
    },
  ],
  batches: BATCHES,
  keys: [
    {
      files: [...CALLERS.map((name) => `server/src/${name}.ts`), ...inFolder('access/keys', KEYS)],
      stages: [
        ['server/src/access/keys', 'server/src/access/callers'],
        ['server/src/platform/http', 'server/src/operations', 'contract-tests/check-order'],
      ],
    },
  ],
  limits: [
    {
      files: inFolder('platform/http/limits', ['rate-limits']),
      stages: [
        ['server/src/platform/http/limits'],
        ['server/src/platform/http', 'contract-tests/check-order'],
      ],
    },
  ],
};

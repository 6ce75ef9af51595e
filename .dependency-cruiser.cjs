/** What programs pay for only where they import it. */
const sdkExtras = '^sdk/src/(testing/|validators|generated/(validators/|contract-examples))';

/**
 * The floors of `sdk/src`, from the ground up, each a rule: a file imports from its own floor and from those below it. On
 * top are the entry points and what is made of all the others, such as the client.
 */
const SDK_FLOORS = {
  generated: 'generated/(schema|request-rules|version)\\.ts$',
  contract: 'contract/',
  errors: 'errors/',
  transport: 'transport/',
  resources: 'resources/',
  entries: '[^/]+$',
};
const sdkFloorRules = Object.entries(SDK_FLOORS).map(([name, floor], level, floors) => {
  const open = floors.slice(0, level + 1);
  return {
    name: `sdk-floor-${name}`,
    comment: `In the SDK, ${name} may import from: ${open.map(([each]) => each).join(', ')}.`,
    severity: 'error',
    from: { path: `^sdk/src/${floor}`, pathNot: `\\.test(-d)?\\.ts$|${sdkExtras}` },
    to: { path: '^sdk/src/', pathNot: `^sdk/src/(${open.map(([, each]) => each).join('|')})` },
  };
});

/**
 * The house of `server/src`, from the ground up: a room imports from the floors below its own, and from a neighbour on its
 * own floor only along an arrow of `NEIGHBOURS`. Each floor is a rule, so that a wrong arrow fails with the floor's name.
 */
const FLOORS = [
  {
    name: 'ground',
    rooms: [
      'database/',
      'config/',
      'outbound/',
      'domain-error\\.ts',
      'background-task\\.ts',
      'name-some\\.ts',
      'share-result\\.ts',
    ],
  },
  { name: 'names-and-hosts', rooms: ['subjects/', 'hosts/'] },
  { name: 'callers-and-scores', rooms: ['callers/', 'scoring/'] },
  { name: 'ledger-and-plans', rooms: ['ledger/', 'plans/'] },
  { name: 'registry', rooms: ['registry/'] },
  { name: 'http-and-ui', rooms: ['http/', 'ui/', 'metrics/', 'tracing/'] },
  {
    name: 'stories',
    rooms: [
      'operations/',
      'directory/',
      'import/',
      'refresh/',
      'handles/',
      'proofs/',
      'sign-in/',
      'accounts/',
      'keys/',
      'receipts/',
      'usage/',
      'balance/',
    ],
  },
  { name: 'pages-and-console', rooms: ['pages/', 'console/'] },
];
/** The arrows between neighbours on one floor, each one way. */
const NEIGHBOURS = {
  'database/': ['config/'],
  'hosts/': ['subjects/'],
  'ledger/': ['plans/'],
  'metrics/': ['http/'],
  'accounts/': ['handles/', 'proofs/'],
  'directory/': ['handles/'],
  'keys/': ['accounts/'],
  'proofs/': ['handles/'],
  'refresh/': ['handles/', 'import/'],
  'sign-in/': ['accounts/', 'handles/', 'proofs/'],
};
const GENERATED = 'generated/';
/** The floors of stories and what they stand on. */
const DOMAIN = ['names-and-hosts', 'callers-and-scores', 'ledger-and-plans', 'registry', 'stories'];
const inServer = (rooms) => `^server/src/(${rooms.join('|')})`;

/** What a room must not import: every room above, and the neighbours that it has no arrow to. */
const floorRules = FLOORS.flatMap(({ name, rooms }, level) => {
  const below = FLOORS.slice(0, level).flatMap((floor) => floor.rooms);
  return rooms.map((room) => ({
    name: `floor-${name}`,
    comment: `${room} imports from the floors below it, and from ${(NEIGHBOURS[room] ?? []).join(' ') || 'no neighbour'}.`,
    severity: 'error',
    from: { path: inServer([room]), pathNot: '\\.test(-d)?\\.tsx?$' },
    to: { path: '^server/src/', pathNot: inServer([room, GENERATED, ...below, ...(NEIGHBOURS[room] ?? [])]) },
  }));
});

/** An arrow between neighbours may not lead back, in one step or in several: then no circle of rooms is possible. */
function requireOneWay(room, passed = []) {
  if (passed.includes(room)) throw new Error(`NEIGHBOURS go in a circle: ${[...passed, room].join(' → ')}`);
  for (const next of NEIGHBOURS[room] ?? []) {
    const isNeighbour = FLOORS.some(({ rooms }) => rooms.includes(room) && rooms.includes(next));
    if (!isNeighbour) throw new Error(`${room} and ${next} are not on one floor`);
    requireOneWay(next, [...passed, room]);
  }
}
for (const room of Object.keys(NEIGHBOURS)) requireOneWay(room);

module.exports = {
  forbidden: [
    ...floorRules,
    ...sdkFloorRules,
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one file, or miss a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-knows-no-http',
      comment:
        'Stories decide; they never see a request, a reply or a framework. Handlers and presenters translate.',
      severity: 'error',
      from: {
        path: inServer(FLOORS.filter(({ name }) => DOMAIN.includes(name)).flatMap(({ rooms }) => rooms)),
        pathNot: '\\.(handlers|presenter)\\.ts$|\\.test\\.tsx?$',
      },
      to: { path: '^server/src/(http|generated)/|node_modules/fastify' },
    },
    {
      name: 'a-rooms-repository-is-its-own',
      comment:
        'Another room asks for a story. A piece of SQL that others put into their own statements is a `*.condition.ts`.',
      severity: 'error',
      from: { path: '^server/src/([^/]+)', pathNot: '\\.test(-d)?\\.tsx?$' },
      to: { path: '^server/src/[^/]+/.*\\.(repository|sql)\\.ts$', pathNot: '^server/src/$1/' },
    },
    {
      name: 'postgres-only-below',
      comment: 'Only the database folder talks to the driver and the ORM; others take a Connection.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/database/|\\.test\\.ts$' },
      to: { path: 'node_modules/(pg|sequelize|umzug)/' },
    },
    {
      name: 'one-way-out',
      comment: 'Calls to other people’s servers go through the guarded client, never around it.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/(outbound|scoring)/|\\.test\\.ts$' },
      to: { path: 'node_modules/undici/' },
    },
    {
      name: 'one-way-in',
      comment:
        'authenticate-caller.ts asks who calls, for pages, console and API alike; everybody else asks it.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: '^server/src/(http/credentials/authenticate-caller\\.ts$|callers/)|\\.test\\.tsx?$',
      },
      to: { path: '^server/src/callers/authenticate\\.ts$' },
    },
    {
      name: 'stories-see-who-calls',
      comment:
        'A story, and the handler that translates for it, see who calls: tokens, cookies, rate limits and forged requests are judged before.',
      severity: 'error',
      from: {
        path: inServer(FLOORS.find(({ name }) => name === 'stories').rooms),
        pathNot: '\\.test\\.tsx?$',
      },
      to: {
        path: '^server/src/http/(limits/|credentials/(?!authenticate-caller|session-cookie))',
      },
    },
    {
      name: 'one-way-to-fail',
      comment:
        'answer-failure.ts decides what a failure is told as; a part of the server only says how it is drawn (FailureForm).',
      severity: 'error',
      from: {
        path: '^server/src/',
        // What no route sees has no reply to answer by; the scoring process is a server of its own.
        pathNot:
          '^server/src/(http/failures/(answer-failure|raw-errors)\\.ts$|scoring-process/)|\\.test\\.tsx?$',
      },
      to: { path: '^server/src/http/failures/(note-failure|problem-words)\\.ts$' },
    },
    {
      name: 'one-way-to-markup',
      comment: 'Pages and pictures are written by render-markup.ts, which knows what an XML reader refuses.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/ui/render-markup\\.ts$|\\.test\\.tsx?$' },
      to: { path: 'node_modules/preact-render-to-string/' },
    },
    {
      name: 'one-way-to-count',
      comment:
        'Parts tell the ears of metrics/ what they know; what counts is loaded there, where somebody asked for it.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/metrics/meter\\.ts$|\\.test\\.tsx?$' },
      to: { path: 'node_modules/prom-client/' },
    },
    {
      name: 'one-way-to-trace',
      comment:
        'What makes spans is loaded by open-tracer.ts, where a collector was named; the rest of the house knows no span.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/tracing/|\\.test\\.tsx?$' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'testing-stays-in-tests',
      comment: 'Stand-ins and factories are never part of the running server.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(server/testing|torture|ops)/' },
    },
    {
      name: 'composition-root-is-the-top',
      comment: 'Nothing but the process and its tests knows which part gets which.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: '^server/src/((app|services|serve|main|cli|welcome)\\.ts|commands/)|\\.test\\.tsx?$',
      },
      to: { path: '^server/src/(services|serve|app|main|cli)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'The SDK imports its own files and openapi-fetch, nothing of Node and nothing of the server.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: `\\.test\\.ts$|${sdkExtras}` },
      to: { pathNot: '^sdk/src/(?!testing/|validators)|node_modules/openapi-fetch' },
    },
    {
      name: 'sdk-extras-need-their-peer',
      comment: 'An optional entry point of the SDK imports its own files and its optional peer dependency.',
      severity: 'error',
      from: { path: sdkExtras },
      to: { pathNot: '^sdk/src/|node_modules/(msw|zod)/' },
    },
    {
      name: 'command-line-on-the-sdk-alone',
      comment:
        'The command line uses what any program could: the SDK, Node, the mock that it starts, and an agent for proxies.',
      severity: 'error',
      from: { path: '^sdk/cli/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: '^sdk/(cli|mock)/|^sdk/src/index\\.ts$|node_modules/undici/',
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'mock-of-the-http-layer',
      comment:
        'The mock is the server’s HTTP layer over Prism: it takes that, the words of a few refusals, and no more.',
      severity: 'error',
      from: { path: '^sdk/mock/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^server/',
        pathNot:
          '^server/src/(app|domain-error|http/([^/]+|(contract|credentials|failures|limits)/[^/]+)|directory/page-links|operations/metered-operation|plans/days|registry/repository-url|subjects/subject-type)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-undeclared-dependency',
      comment: 'Whatever is imported stands in the package.json of its workspace.',
      severity: 'error',
      // What makes spans is optional peers, which the project itself has for its tests.
      // The validators' zod is an optional peer, and a dev dependency for the tests. The proxy's undici is built into the bin.
      from: {
        pathNot:
          '\\.test\\.tsx?$|/testing/|^(torture|ops)/|^sdk/src/generated/validators/|^sdk/cli/proxy\\.ts$|^server/src/tracing/open-tracer\\.ts$',
      },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'server/tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};

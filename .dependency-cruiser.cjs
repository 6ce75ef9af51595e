/** Files of the SDK's optional entry points, which add to a program's bundle only if it imports them. */
const sdkExtras = '^sdk/src/(testing/|validators|generated/(validators/|contract-examples))';

/**
 * The layers of `sdk/src`, lowest first, each a rule: a file imports from its own layer and from those below it. On
 * top are the entry points and what is made of all the others, such as the client.
 */
const SDK_LAYERS = {
  generated: 'generated/(schema|request-rules|version)\\.ts$',
  contract: 'contract/',
  errors: 'errors/',
  transport: 'transport/',
  resources: 'resources/',
  entries: '[^/]+$',
};
const sdkLayerRules = Object.entries(SDK_LAYERS).map(([name, layer], level, layers) => {
  const open = layers.slice(0, level + 1);
  return {
    name: `sdk-layer-${name}`,
    comment: `In the SDK, ${name} may import from: ${open.map(([each]) => each).join(', ')}.`,
    severity: 'error',
    from: { path: `^sdk/src/${layer}`, pathNot: `\\.test(-d)?\\.ts$|${sdkExtras}` },
    to: { path: '^sdk/src/', pathNot: `^sdk/src/(${open.map(([, each]) => each).join('|')})` },
  };
});

/**
 * The layers of `server/src`, lowest first. A module imports from the layers below its own, and from a module of its own layer
 * only along an arrow of `ARROWS`. Each layer is a rule, so that a wrong import fails with the layer's name.
 */
const LAYERS = [
  { name: 'platform', modules: ['platform/'] },
  { name: 'hosts', modules: ['hosts/'] },
  { name: 'catalog-and-scoring', modules: ['scoring/', 'catalog/'] },
  { name: 'money-and-callers', modules: ['access/', 'billing/', 'ownership/'] },
  { name: 'use-cases', modules: ['operations/', 'directory/', 'intake/', 'accounts/'] },
  { name: 'web', modules: ['web/'] },
  { name: 'processes', modules: ['cli/'] },
];
/** The arrows between modules of one layer, each one way. */
const ARROWS = {
  'catalog/': ['scoring/'],
  'billing/': ['access/'],
  'ownership/': ['access/'],
};
const GENERATED = 'generated/';
/** The layers of the domain, which know no HTTP. */
const DOMAIN = ['hosts', 'catalog-and-scoring', 'money-and-callers', 'use-cases'];
const inServer = (modules) => `^server/src/(${modules.join('|')})`;

/** Forbidden imports of each module: every module above it, and the modules of its layer that it has no arrow to. */
const layerRules = LAYERS.flatMap(({ name, modules }, level) => {
  const below = LAYERS.slice(0, level).flatMap((layer) => layer.modules);
  return modules.map((module) => ({
    name: `layer-${name}`,
    comment: `${module} imports from the layers below it, and from ${(ARROWS[module] ?? []).join(' ') || 'no module of its own layer'}.`,
    severity: 'error',
    from: { path: inServer([module]), pathNot: '\\.test(-d)?\\.tsx?$' },
    to: {
      path: '^server/src/',
      pathNot: inServer([
        module,
        GENERATED,
        ...below,
        ...(ARROWS[module] ?? []),
        // Commands are part of the composition root: they start what services.ts and serve.ts put together.
        ...(module === 'cli/' ? ['[^/]+$'] : []),
      ]),
    },
  }));
});

/**
 * Throws if arrows lead back to a module, in one step or in several, because modules could then import each other in a cycle.
 */
function requireOneWay(module, passed = []) {
  if (passed.includes(module)) throw new Error(`ARROWS form a cycle: ${[...passed, module].join(' → ')}`);
  for (const next of ARROWS[module] ?? []) {
    const isNeighbour = LAYERS.some(({ modules }) => modules.includes(module) && modules.includes(next));
    if (!isNeighbour) throw new Error(`${module} and ${next} are not in one layer`);
    requireOneWay(next, [...passed, module]);
  }
}
for (const module of Object.keys(ARROWS)) requireOneWay(module);

module.exports = {
  forbidden: [
    ...layerRules,
    ...sdkLayerRules,
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
        'Use cases decide; they never see a request, a reply or a framework. Handlers and presenters translate.',
      severity: 'error',
      from: {
        path: inServer(LAYERS.filter(({ name }) => DOMAIN.includes(name)).flatMap(({ modules }) => modules)),
        // The first decides who calls, for which it reads the request.
        pathNot:
          '^server/src/access/callers/authenticate-caller\\.ts$|\\.(handlers|presenter)\\.ts$|\\.test\\.tsx?$',
      },
      to: {
        path: '^server/src/(platform/http|generated)/(?!credentials/(principal|secret)\\.ts$)|node_modules/fastify',
      },
    },
    {
      name: 'queries-belong-to-their-module',
      comment:
        'Other modules call a use case. A piece of SQL that others put into their own statements is a `*.fragment.ts`.',
      severity: 'error',
      from: { path: '^server/src/([^/]+)', pathNot: '\\.test(-d)?\\.tsx?$' },
      to: {
        path: '^server/src/[^/]+/.*\\.(queries|sql)\\.ts$',
        pathNot: '^server/src/$1/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'postgres-only-below',
      comment: 'Only platform/ talks to the driver and the ORM; others take a Connection.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/platform/|\\.test\\.ts$' },
      to: { path: 'node_modules/(pg|sequelize|umzug)/' },
    },
    {
      name: 'one-way-out',
      comment:
        'Only hosts/client and scoring import the HTTP library. Requests to hosts use the guarded client; sign-in uses configured-fetch.ts.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/(hosts/client|scoring)/|\\.test\\.ts$' },
      to: { path: 'node_modules/undici/' },
    },
    {
      name: 'one-way-in',
      comment:
        'authenticate-caller.ts asks who calls, for pages, console and API alike; everybody else asks it.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: '^server/src/access/callers/|\\.test\\.tsx?$',
      },
      to: { path: '^server/src/access/callers/authenticate\\.ts$' },
    },
    {
      name: 'use-cases-see-who-calls',
      comment:
        'A use case, and the handler that translates for it, see who calls: tokens, cookies, rate limits and forged requests are judged before.',
      severity: 'error',
      from: {
        path: inServer(LAYERS.find(({ name }) => name === 'use-cases').modules),
        pathNot: '\\.test\\.tsx?$',
      },
      to: {
        path: '^server/src/platform/http/(limits/|credentials/(?!principal|secret|attempt-cookies))',
      },
    },
    {
      name: 'one-way-to-fail',
      comment:
        'send-failure.ts decides what a failure is told as; a part of the server only says how it is drawn (FailureFormat).',
      severity: 'error',
      from: {
        path: '^server/src/',
        // What no route sees has no reply to answer by; the scoring process is a server of its own.
        pathNot:
          '^server/src/(platform/http/failures/(send-failure|raw-errors)\\.ts$|cli/scoring-process/)|\\.test\\.tsx?$',
      },
      to: { path: '^server/src/platform/http/failures/map-failure\\.ts$' },
    },
    {
      name: 'one-way-to-markup',
      comment: 'Pages and pictures are written by send-html.ts, which knows what an XML reader refuses.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/web/components/send-html\\.ts$|\\.test\\.tsx?$' },
      to: { path: 'node_modules/preact-render-to-string/' },
    },
    {
      name: 'one-way-to-count',
      comment:
        'Modules report to platform/telemetry; what counts is loaded there, and only where metrics are configured.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/platform/telemetry/meter\\.ts$|\\.test\\.tsx?$' },
      to: { path: 'node_modules/prom-client/' },
    },
    {
      name: 'one-way-to-trace',
      comment: 'What makes spans is loaded by open-tracer.ts, and only where a collector is configured.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/platform/telemetry/|\\.test\\.tsx?$' },
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
        pathNot: '^server/src/((app|services|serve|main|cli|welcome)\\.ts|cli/)|\\.test\\.tsx?$',
      },
      to: { path: '^server/src/(services|serve|app|main|cli)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'The SDK imports its own files and openapi-fetch, nothing of Node and nothing of the server.',
      severity: 'error',
      from: { path: '^sdk/src/', pathNot: `\\.test(-d)?\\.ts$|${sdkExtras}` },
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
        'The command line uses what any program could: the SDK, Node, the mock that it starts, parsers of lock files, an agent for proxies, and the code of the published scoring methods.',
      severity: 'error',
      from: { path: '^sdk/(cli|check)/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot:
          '^sdk/(cli|check|mock)/|^sdk/src/(index|verify)\\.ts$|node_modules/(undici|yaml|smol-toml)/|^server/src/scoring/(embedded/|(fact-types|subject-type)\\.ts$)',
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
          '^server/src/(app|platform/(errors/[^/]+|text/[^/]+|http/([^/]+|(contract|credentials|failures|limits)/[^/]+))|directory/lists/page-links|operations/operation-call|access/plans/days|catalog/repository-url|scoring/subject-type)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-undeclared-dependency',
      comment: 'Whatever is imported stands in the package.json of its workspace.',
      severity: 'error',
      // What makes spans is optional peers, which the project itself has for its tests.
      // The validators' zod is an optional peer, and a dev dependency for the tests. The proxy's undici and the parsers of `check` are built into the bin.
      from: {
        pathNot:
          '\\.test(-d)?\\.tsx?$|/testing/|^(torture|ops)/|^sdk/src/generated/validators/|^sdk/cli/proxy\\.ts$|^sdk/check/|^server/src/platform/telemetry/open-tracer\\.ts$',
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

/** The import arrows of the house: http → handlers → domain → repository → database, and nothing the other way. */
const domains =
  '^server/src/(directory|subjects|identity|operations|ledger|plans|keys|accounts|hosts|outbound|scoring|receipts|usage)/';
const inDomains = { path: domains, pathNot: '\\.(handlers|presenter)\\.ts$|\\.test\\.tsx?$' };
/** What programs pay for only where they import it. */
const sdkExtras = '^sdk/src/(testing/|validators|generated/(validators/|contract-examples))';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one file, or miss a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-knows-no-http',
      comment: 'Domain code decides; it never sees a request, a reply or a framework.',
      severity: 'error',
      from: inDomains,
      to: {
        path: '^server/src/(http|pages|console|generated)/|^server/src/(app|services|serve|main|cli)\\.ts$|node_modules/fastify',
      },
    },
    {
      name: 'database-is-the-bottom',
      comment: 'The database folder imports no domain; only the configuration and its own files.',
      severity: 'error',
      from: { path: '^server/src/database/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/src/', pathNot: '^server/src/(database/|config\\.ts)' },
    },
    {
      name: 'postgres-only-below',
      comment: 'Only the database folder talks to the driver and the ORM; others take a Connection.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/(database|testing)/|\\.test\\.ts$' },
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
      name: 'one-way-to-markup',
      comment: 'Pages and pictures are written by render-markup.ts, which knows what an XML reader refuses.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/pages/render-markup\\.ts$|\\.test\\.tsx?$' },
      to: { path: 'node_modules/preact-render-to-string/' },
    },
    {
      name: 'testing-stays-in-tests',
      comment: 'Stand-ins and factories are never part of the running server.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/testing/|/testing/|\\.test\\.tsx?$' },
      to: { path: '/testing/' },
    },
    {
      name: 'composition-root-is-the-top',
      comment: 'Nothing but the process and its tests knows which part gets which.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot:
          '^server/src/((app|services|serve|main|cli|welcome)\\.ts|commands/)|/testing/|\\.test\\.tsx?$',
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
          '^server/src/(app|domain-error|http/[^/]+|directory/page-links|operations/metered-operation|subjects/subject-type)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-undeclared-dependency',
      comment: 'Whatever is imported stands in the package.json of its workspace.',
      severity: 'error',
      // The validators' zod is an optional peer, and a dev dependency for the tests. The proxy's undici is built into the bin.
      from: { pathNot: '\\.test\\.tsx?$|/testing/|^sdk/src/generated/validators/|^sdk/cli/proxy\\.ts$' },
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

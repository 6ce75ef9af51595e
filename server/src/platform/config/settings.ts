import { hostApiTokens, hostApiUrls, wellKnownDomains } from './known-hosts.ts';
import {
  address,
  fraction,
  httpUrl,
  listOf,
  network,
  oneOf,
  optional,
  origin,
  path,
  postgresUrl,
  redisUrl,
  repositoryHost,
  signingKey,
  token,
  type Variable,
  wholeNumber,
  withDefault,
} from './parsers.ts';
import { issuerUrl, providerName, providerOrigin, providerUrl, provingIssuers } from './sign-in-config.ts';

const perMinute = wholeNumber(0, 1_000_000);
const secret = { secret: true };

/**
 * Environment variables of the server, with their documentation. `.env.example` and `docs/configure.md` repeat this
 * table; a test keeps all three equal.
 */
export const VARIABLES = {
  HOST: withDefault(address, '127.0.0.1', 'Address to listen on.'),
  PORT: withDefault(
    wholeNumber(0, 65_535),
    '4000',
    'Port to listen on; 0 takes any free port, which the server prints.',
  ),
  PUBLIC_URL: optional(origin, 'Origin at which clients reach the server; every link starts with it.', {
    shown: 'http://HOST:PORT',
  }),
  TRUST_PROXY: withDefault(
    listOf(network),
    '',
    'Networks of the reverse proxies whose X-Forwarded-For is trusted, as CIDRs separated by commas.',
  ),
  LOG_LEVEL: withDefault(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Minimum severity of log lines on standard error; on a terminal the default is warn.',
  ),
  METRICS_PORT: optional(
    wholeNumber(0, 65_535),
    'Port that serves GET /metrics for Prometheus, separate from the public port; 0 takes any free port, which is logged. If unset, metrics are off.',
  ),
  METRICS_HOST: withDefault(
    address,
    '127.0.0.1',
    'Address of METRICS_PORT; requests there are not authenticated, so use internal networks only.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    httpUrl,
    'OpenTelemetry collector for traces, over HTTP; other OTEL_EXPORTER_OTLP_ variables of the process environment apply too. If unset, tracing is off.',
    secret,
  ),
  OTEL_SERVICE_NAME: withDefault(providerName, 'trust-directory', 'Name of this service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: withDefault(
    fraction,
    '1',
    'Share of new traces to record; if a caller sends a traceparent, its sampling decision applies.',
  ),
  DATABASE_URL: optional(
    postgresUrl,
    'PostgreSQL 15 or newer; if unset, an embedded PostgreSQL runs under DATA_DIR.',
    secret,
  ),
  DATABASE_POOL_SIZE: withDefault(
    wholeNumber(1, 500),
    '10',
    'Maximum database sessions of one process for metered calls, accounts and background jobs.',
  ),
  DATABASE_READ_POOL_SIZE: withDefault(
    wholeNumber(1, 500),
    '10',
    'Maximum additional database sessions of one process for public reads.',
  ),
  DATABASE_READ_URLS: {
    ...withDefault(
      listOf(postgresUrl),
      '',
      'Streaming replicas of DATABASE_URL for public reads, separated by commas; used only for data that they have already replayed. Each address must be one server, without a pooler.',
    ),
    ...secret,
  },
  DATABASE_PREPARED_STATEMENTS: withDefault(
    oneOf('on', 'off'),
    'on',
    'Whether database sessions use prepared statements; set off behind a pooler that does not support them, such as PgBouncer before 1.21 in transaction mode.',
  ),
  DATABASE_START_TIMEOUT_SECONDS: withDefault(
    wholeNumber(0, 3_600),
    '30',
    'How long a start waits for an unreachable database before it fails; 0 tries once.',
  ),
  DATA_DIR: withDefault(
    path,
    '.data',
    'Folder of the embedded PostgreSQL, relative to the working directory.',
  ),
  REDIS_URL: optional(
    redisUrl,
    'Redis that shares rate limits between processes; without it each process counts separately.',
    secret,
  ),
  SCORING_URL: optional(httpUrl, 'HTTP scoring backend; if unset, the embedded method is used.', secret),
  SCORING_TOKEN: optional(
    token,
    'Bearer token sent to SCORING_URL, and required by the command "scoring" from its callers.',
    secret,
  ),
  SCORING_HOST: withDefault(address, '127.0.0.1', 'Address that the command "scoring" listens on.'),
  SCORING_PORT: withDefault(
    wholeNumber(0, 65_535),
    '4010',
    'Port that the command "scoring" listens on; 0 takes any free port, which the command prints.',
  ),
  SIGNING_KEY_FILE: optional(
    path,
    'JWK set of the keys that sign scores; the first signs. With DATABASE_URL, create it by the command "signing-key create" for all processes.',
    { shown: 'DATA_DIR/signing-key.json' },
  ),
  SIGNING_KEY: optional(signingKey, 'Content of SIGNING_KEY_FILE, instead of the file.', secret),
  PLANS_FILE: optional(path, 'JSON file of plans and prices, relative to the working directory.', {
    shown: 'server/plans.json',
  }),
  SYNONYMS_FILE: optional(path, 'JSON file of search synonyms, relative to the working directory.', {
    shown: 'server/synonyms.json',
  }),
  SDK_RELEASES_DIR: optional(
    path,
    'Folder of earlier SDK packages (trust-directory-sdk-VERSION.tgz), relative to the working directory; /sdk/ serves them in addition to the current one.',
  ),
  SDK_INSTALL_FROM: withDefault(
    oneOf('server', 'registry'),
    'server',
    'Source of the SDK in the instructions at /docs: this server, or npm (registry) once @trust-directory/sdk is published there.',
  ),
  REPOSITORY_HOSTS: withDefault(
    listOf(repositoryHost, 1),
    'github.com,gitlab.com,codeberg.org,bitbucket.org',
    'Repository hosts allowed at registration; a bare owner/repo means the first of them that has it.',
  ),
  HOST_API_URLS: withDefault(
    hostApiUrls,
    '',
    'API URLs of hosts, as host=URL; for a host that is not built in as host=kind+URL, such as git.example.org=forgejo+https://git.example.org/api/v1.',
  ),
  HOST_API_TOKENS: {
    ...withDefault(
      hostApiTokens,
      '',
      'API tokens of hosts, as host=token separated by commas; hosts allow more requests with a token.',
    ),
    ...secret,
  },
  REFRESH_PER_HOUR: withDefault(
    wholeNumber(0, 1_000_000),
    '0',
    'Requests per hour, of all processes, to repository hosts and other sources; 40 need no API token; with 0, only the command "refresh" reads facts.',
  ),
  CHANGES_DAYS: withDefault(wholeNumber(1, 3_650), '90', 'Days for which GET /api/changes keeps changes.'),
  WELL_KNOWN_DOMAINS: withDefault(
    wellKnownDomains,
    '',
    'Domains, comma-separated, whose agent cards and skills indexes are read in addition to those proved by DNS; domain=URL for another address.',
  ),
  OIDC_ISSUER: optional(
    issuerUrl,
    'Issuer of an OpenID Connect provider for sign-in; its callback address is PUBLIC_URL/sign-in/callback.',
  ),
  OIDC_CLIENT_ID: optional(token, 'Client id of this directory at OIDC_ISSUER.'),
  OIDC_CLIENT_SECRET: optional(token, 'Client secret for OIDC_CLIENT_ID.', secret),
  OIDC_NAME: optional(providerName, 'Name of the provider on the sign-in button.', {
    shown: 'host of OIDC_ISSUER',
  }),
  GITHUB_CLIENT_ID: optional(
    token,
    'Client id of a GitHub OAuth app for sign-in; its callback address is PUBLIC_URL/sign-in/callback/github.',
  ),
  GITHUB_CLIENT_SECRET: optional(token, 'Client secret for GITHUB_CLIENT_ID.', secret),
  GITHUB_OAUTH_URL: withDefault(
    providerOrigin,
    'https://github.com',
    'Origin of the GitHub server for sign-in, which may be an Enterprise server.',
  ),
  GITHUB_OAUTH_API_URL: optional(providerUrl, 'API URL of GITHUB_OAUTH_URL.', {
    shown: 'https://api.github.com or GITHUB_OAUTH_URL/api/v3',
  }),
  SIGN_UP: withDefault(
    oneOf('closed', 'open'),
    'closed',
    'Whether a person without an account gets a free one at the first sign-in (open) or is asked to contact you (closed).',
  ),
  SIGN_IN_PROVES: withDefault(
    provingIssuers,
    '',
    "Issuers whose sign-ins prove an account elsewhere, as issuer=kind:host, such as https://github.com=repo_host:github.com; use only if the issuer's subject is the account id at that host.",
  ),
  CORS_ORIGINS: withDefault(
    listOf(origin),
    '',
    'Origins whose pages may call routes with an access key, separated by commas; public reads are open to all.',
  ),
  PUBLIC_MAX_AGE_SECONDS: withDefault(
    wholeNumber(0, 31_536_000),
    '0',
    'How long a CDN may cache public responses; 0 makes it revalidate every time.',
  ),
  KEPT_ANSWERS_MB: withDefault(
    wholeNumber(0, 65_536),
    '64',
    'Megabytes of memory for cached public responses per process; 0 disables the cache, and it is always off behind a pooler.',
  ),
  RATE_LIMIT_PUBLIC_PER_MINUTE: withDefault(
    perMinute,
    '120',
    'Public reads of one client address; 0 means no limit.',
  ),
  RATE_LIMIT_READ_PER_MINUTE: withDefault(
    perMinute,
    '120',
    'Authenticated reads of one token; 0 means no limit.',
  ),
  RATE_LIMIT_WRITE_PER_MINUTE: withDefault(
    perMinute,
    '30',
    'Authenticated writes of one token; 0 means no limit.',
  ),
  RATE_LIMIT_METERED_PER_MINUTE: withDefault(
    perMinute,
    '600',
    'Metered calls of one account; 0 means no limit.',
  ),
  RATE_LIMIT_UNKEYED_PER_MINUTE: withDefault(
    perMinute,
    '120',
    'Requests of one client address to authenticated routes without a well-formed key; 0 means no limit.',
  ),
  RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: withDefault(
    perMinute,
    '20',
    'Failed credentials of one client address; further failures get 429; 0 means no limit.',
  ),
  METERED_WAIT_MS: withDefault(
    wholeNumber(500, 20_000),
    '2200',
    'Milliseconds that a metered call waits for sessions and locks of a busy database before it responds 503.',
  ),
  METERED_AT_WORK: withDefault(
    wholeNumber(1, 100_000),
    '256',
    'Concurrent metered calls of a process, not counting those at the scoring backend; more get 503 immediately.',
  ),
  METERED_SCORING: withDefault(
    wholeNumber(1, 100_000),
    '1024',
    'Concurrent metered calls of a process at the scoring backend; at this limit, new calls get 503 immediately.',
  ),
  TIMINGS_SCALE: withDefault(
    fraction,
    '1',
    'Factor for the time limits of a metered call except METERED_WAIT_MS; use values below 1 only in tests, which cannot wait for a lease of 60 seconds.',
  ),
} as const satisfies Record<string, Variable<unknown>>;

/** Parsed values by variable name. */
export type Values = {
  readonly [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends Variable<infer Value>
    ? Value
    : never;
};

/** Prefixes that only this program uses: an unknown variable with one of them is misspelt. */
export const OWN_PREFIXES = [
  'RATE_LIMIT_',
  'SCORING_',
  'OIDC_',
  'SIGN_',
  'GITHUB_CLIENT_',
  'GITHUB_OAUTH_',
  'HOST_API_',
  'REPOSITORY_',
  'METRICS_',
  'METERED_',
] as const;

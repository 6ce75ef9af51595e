import { hostApiTokens, hostApiUrls } from './host-kinds.ts';
import {
  address,
  fraction,
  httpUrl,
  listOf,
  network,
  oneOf,
  origin,
  path,
  postgresUrl,
  redisUrl,
  repositoryHost,
  token,
  wholeNumber,
} from './kinds.ts';
import { issuerUrl, providerName, providerOrigin, providerUrl, provingIssuers } from './sign-in-kinds.ts';
import { orAbsent, type Variable, withDefault } from './variable.ts';

const perMinute = wholeNumber(0, 1_000_000);
const secret = { secret: true };

/**
 * Every environment variable that the server reads, documented here once. `.env.example` and the README repeat this
 * table, and a test holds the three equal.
 */
export const VARIABLES = {
  HOST: withDefault(address, '127.0.0.1', 'Address to listen on.'),
  PORT: withDefault(
    wholeNumber(0, 65_535),
    '4000',
    'Port to listen on; 0 takes any that is free, and the server prints which.',
  ),
  PUBLIC_URL: orAbsent(origin, 'Origin under which clients reach the server; every link is built from it.', {
    shown: 'http://HOST:PORT',
  }),
  TRUST_PROXY: withDefault(
    listOf(network),
    '',
    'Networks of the reverse proxies whose X-Forwarded-For is believed, as CIDRs separated by commas.',
  ),
  LOG_LEVEL: withDefault(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Least severity of the log lines on standard error; where that is a terminal, the default is warn.',
  ),
  METRICS_PORT: orAbsent(
    wholeNumber(0, 65_535),
    'Port that answers GET /metrics for Prometheus, never the public one; 0 takes any that is free, and the log says which. Unset, nothing is counted.',
  ),
  METRICS_HOST: withDefault(
    address,
    '127.0.0.1',
    'Address of METRICS_PORT; nobody asks for a key there, so leave it to networks of your own.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: orAbsent(
    httpUrl,
    "OpenTelemetry collector that traces go to, over HTTP; further OTEL_EXPORTER_OTLP_ variables of the process's own environment count too. Unset, nothing is traced.",
    secret,
  ),
  OTEL_SERVICE_NAME: withDefault(providerName, 'trust-directory', 'What traces call this service.'),
  OTEL_TRACES_SAMPLER_ARG: withDefault(
    fraction,
    '1',
    'Share of the traces that begin here which are kept; where a caller sends a traceparent, its word counts.',
  ),
  DATABASE_URL: orAbsent(
    postgresUrl,
    'PostgreSQL 15 or newer; without it an embedded PostgreSQL runs under DATA_DIR.',
    secret,
  ),
  DATABASE_POOL_SIZE: withDefault(
    wholeNumber(1, 500),
    '10',
    'Database sessions that one process holds at most for metered calls, accounts and its own work.',
  ),
  DATABASE_READ_POOL_SIZE: withDefault(
    wholeNumber(1, 500),
    '10',
    'Database sessions that one process holds at most, besides, for what everybody may read.',
  ),
  DATABASE_READ_URLS: {
    ...withDefault(
      listOf(postgresUrl),
      '',
      'Streaming replicas of DATABASE_URL, separated by commas, that what everybody may read is read from once they have replayed it; each address one server, without a pooler.',
    ),
    ...secret,
  },
  DATABASE_PREPARED_STATEMENTS: withDefault(
    oneOf('on', 'off'),
    'on',
    'Whether database sessions keep prepared statements; off behind a pooler that cannot, such as PgBouncer before 1.21 in transaction mode.',
  ),
  DATABASE_START_TIMEOUT_SECONDS: withDefault(
    wholeNumber(0, 3_600),
    '30',
    'How long a start waits for a database that does not answer yet, before it ends with an error; 0 tries once.',
  ),
  DATA_DIR: withDefault(path, '.data', 'Folder of the embedded PostgreSQL, from the working directory.'),
  REDIS_URL: orAbsent(
    redisUrl,
    'Redis that several processes share their rate limits through; without it each process counts alone.',
    secret,
  ),
  SCORING_URL: orAbsent(httpUrl, 'HTTP scoring backend; without it the embedded method scores.', secret),
  SCORING_TOKEN: orAbsent(
    token,
    'Bearer token sent to SCORING_URL, which needs one; the command "scoring" asks its callers for it.',
    secret,
  ),
  SCORING_HOST: withDefault(address, '127.0.0.1', 'Address that the command "scoring" listens on.'),
  SCORING_PORT: withDefault(
    wholeNumber(0, 65_535),
    '4010',
    'Port that the command "scoring" listens on; 0 takes any that is free, and the command prints which.',
  ),
  PLANS_FILE: orAbsent(path, 'JSON file of plans and prices, from the working directory.', {
    shown: 'server/plans.json',
  }),
  SYNONYMS_FILE: orAbsent(
    path,
    'JSON file of words that searches treat as one, from the working directory.',
    {
      shown: 'server/synonyms.json',
    },
  ),
  SDK_RELEASES_DIR: orAbsent(
    path,
    'Folder of earlier packages of the SDK (trust-directory-sdk-VERSION.tgz), from the working directory; /sdk/ hands them out beside the current one.',
  ),
  SDK_INSTALL_FROM: withDefault(
    oneOf('server', 'registry'),
    'server',
    'Where /docs says that people install the SDK from: this server, or npm (registry) once @trust-directory/sdk is published there.',
  ),
  REPOSITORY_HOSTS: withDefault(
    listOf(repositoryHost, 1),
    'github.com,gitlab.com,codeberg.org,bitbucket.org',
    'Repository hosts allowed at registration; a bare owner/repo means the first of them that has it.',
  ),
  HOST_API_URLS: withDefault(
    hostApiUrls,
    '',
    'Where the interfaces of hosts are read, as host=URL; a host that is not known by itself as host=kind+URL, such as git.example.org=forgejo+https://git.example.org/api/v1.',
  ),
  HOST_API_TOKENS: {
    ...withDefault(
      hostApiTokens,
      '',
      'Tokens for the interfaces of hosts, as host=token separated by commas; each host then answers more often.',
    ),
    ...secret,
  },
  REPOSITORY_REFRESH_PER_HOUR: withDefault(
    wholeNumber(0, 1_000_000),
    '0',
    'Listings whose metadata all processes together read from their hosts in an hour; 0 is none, and leaves it to the command "refresh".',
  ),
  OIDC_ISSUER: orAbsent(
    issuerUrl,
    'OpenID Connect provider that people sign in with, by its issuer; its callback address is PUBLIC_URL/sign-in/callback.',
  ),
  OIDC_CLIENT_ID: orAbsent(token, 'Client id that the provider at OIDC_ISSUER gave to this directory.'),
  OIDC_CLIENT_SECRET: orAbsent(token, 'Client secret that goes with OIDC_CLIENT_ID.', secret),
  OIDC_NAME: orAbsent(providerName, 'What the sign-in button calls the provider.', {
    shown: 'host of OIDC_ISSUER',
  }),
  GITHUB_CLIENT_ID: orAbsent(
    token,
    'Client id of a GitHub OAuth app that people sign in with; its callback address is PUBLIC_URL/sign-in/callback/github.',
  ),
  GITHUB_CLIENT_SECRET: orAbsent(token, 'Client secret that goes with GITHUB_CLIENT_ID.', secret),
  GITHUB_OAUTH_URL: withDefault(
    providerOrigin,
    'https://github.com',
    'Origin of the GitHub to sign in with; that of an Enterprise server, where there is one.',
  ),
  GITHUB_OAUTH_API_URL: orAbsent(providerUrl, 'Where the interface of GITHUB_OAUTH_URL is.', {
    shown: 'https://api.github.com or GITHUB_OAUTH_URL/api/v3',
  }),
  SIGN_UP: withDefault(
    oneOf('closed', 'open'),
    'closed',
    'Whether a person whom nobody gave an account gets a free one at the first sign-in (open) or is told to ask you (closed).',
  ),
  SIGN_IN_PROVES: withDefault(
    provingIssuers,
    '',
    "Issuers whose sign-ins prove an account elsewhere, as issuer=kind:host, such as https://github.com=repo_host:github.com; only where the issuer's subject is that host's own account id.",
  ),
  CORS_ORIGINS: withDefault(
    listOf(origin),
    '',
    'Origins whose pages may call the routes that take a key, separated by commas; public reads are open to all.',
  ),
  PUBLIC_MAX_AGE_SECONDS: withDefault(
    wholeNumber(0, 31_536_000),
    '0',
    'How long a CDN may keep public answers; 0 makes it ask again each time.',
  ),
  KEPT_ANSWERS_MB: withDefault(
    wholeNumber(0, 65_536),
    '64',
    'Megabytes of public answers that a process keeps in memory until the directory changes; 0 keeps none, and behind a pooler none are kept.',
  ),
  RATE_LIMIT_PUBLIC_PER_MINUTE: withDefault(
    perMinute,
    '120',
    'Public reads of one client address; 0 is no limit.',
  ),
  RATE_LIMIT_READ_PER_MINUTE: withDefault(
    perMinute,
    '120',
    'Authenticated reads of one token; 0 is no limit.',
  ),
  RATE_LIMIT_WRITE_PER_MINUTE: withDefault(
    perMinute,
    '30',
    'Authenticated writes of one token; 0 is no limit.',
  ),
  RATE_LIMIT_METERED_PER_MINUTE: withDefault(
    perMinute,
    '600',
    'Metered calls of one account; 0 is no limit.',
  ),
  RATE_LIMIT_UNKEYED_PER_MINUTE: withDefault(
    perMinute,
    '120',
    'Requests of one client address to authenticated routes without a well-formed key; 0 is no limit.',
  ),
  RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: withDefault(
    perMinute,
    '20',
    'Failed credentials of one client address, after which further failing ones get 429; 0 is no limit.',
  ),
  METERED_WAIT_MS: withDefault(
    wholeNumber(500, 20_000),
    '2200',
    'Milliseconds that a metered call waits for sessions and locks of a busy database before it answers 503.',
  ),
  METERED_AT_WORK: withDefault(
    wholeNumber(1, 100_000),
    '256',
    'Metered calls that a process works on at a time, beside those at the scoring backend; more are answered 503 at once.',
  ),
  METERED_SCORING: withDefault(
    wholeNumber(1, 100_000),
    '1024',
    'Metered calls of a process that are at the scoring backend at a time; while there are so many, new ones are answered 503 at once.',
  ),
  TIMINGS_SCALE: withDefault(
    fraction,
    '1',
    'Factor on all time limits of a metered call; below 1 only in tests, which cannot wait for a lease of 60 seconds.',
  ),
} as const satisfies Record<string, Variable<unknown>>;

/** Parsed values by variable name. */
export type Values = {
  readonly [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name] extends Variable<infer Value>
    ? Value
    : never;
};

/** Prefixes that are ours alone: a variable that begins so and is unknown is a misspelt one. */
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

import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { packageFile } from '../package-files.ts';
import { closestVariable } from './misspelt-variables.ts';
import type { Variable } from './parsers.ts';
import { OWN_PREFIXES, VARIABLES, type Values } from './settings.ts';
import { problemsOfIssuers, problemsOfSignUp, toSignIn } from './sign-in-config.ts';

/** Complete configuration, typed and frozen. */
export type Config = ReturnType<typeof toConfig>;

/** Thrown for an unusable configuration. The message lists the problems and contains no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the file `.env` of a folder. Variables that the process already has take precedence. */
export function readEnvironment(
  folder: string = process.cwd(),
  environment: Environment = process.env,
): Environment {
  const file = resolve(folder, '.env');
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...environment };
}

/** Loads the configuration of a server. On a terminal, the default log level is `warn`. */
export function loadForServing(environment: Environment, isTerminal = process.stderr.isTTY === true): Config {
  const config = loadConfig(environment);
  return isTerminal && !nonEmptyVariables(environment).has('LOG_LEVEL')
    ? { ...config, logLevel: 'warn' }
    : config;
}

/**
 * Parses the environment; empty values count as unset. Throws a ConfigError with all problems; it checks the issuers of
 * sign-ins only if there are no others. Without collecting all problems, `load-config.test.ts` fails.
 */
export function loadConfig(environment: Environment): Config {
  const set = nonEmptyVariables(environment);
  const problems: string[] = [];
  const values = parseVariables(VARIABLES, set, problems) as Values;
  problems.push(...problemsOfMissing(set), ...problemsOfSignUp(set), ...problemsOfNames(set));
  if (problems.length > 0) throw new ConfigError(problems);
  const config = toConfig(values);
  const ofIssuers = problemsOfIssuers(config.signIn);
  if (ofIssuers.length > 0) throw new ConfigError(ofIssuers);
  return config;
}

/** Returns the variables whose values are not blank, with the values trimmed. */
export function nonEmptyVariables(environment: Environment): Map<string, string> {
  const pairs = Object.entries(environment).map(([name, text]) => [name, text?.trim() ?? ''] as const);
  return new Map(pairs.filter(([, text]) => text !== ''));
}

/** Parses variables by name. Adds a sentence to `problems` for each invalid one. */
export function parseVariables(
  variables: Readonly<Record<string, Variable<unknown>>>,
  set: ReadonlyMap<string, string>,
  problems: string[],
): Record<string, unknown> {
  const values = Object.entries(variables).map(([name, variable]) => {
    const text = set.get(name);
    const value = text === undefined ? variable.unset : variable.parse(text);
    if (value === undefined) {
      const shown = variable.secret ? 'has an invalid value' : `is ${JSON.stringify(text)}`;
      problems.push(`${name} ${shown}: it must be ${variable.allowed}.`);
    }
    return [name, value];
  });
  return Object.fromEntries(values);
}

/** Other variables that each variable requires. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  DATABASE_READ_URLS: ['DATABASE_URL'],
  SCORING_URL: ['SCORING_TOKEN'],
  SCORING_TOKEN: ['SCORING_URL'],
  OIDC_ISSUER: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  OIDC_CLIENT_ID: ['OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
  OIDC_CLIENT_SECRET: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  OIDC_NAME: ['OIDC_ISSUER'],
  GITHUB_CLIENT_ID: ['GITHUB_CLIENT_SECRET'],
  GITHUB_CLIENT_SECRET: ['GITHUB_CLIENT_ID'],
  GITHUB_OAUTH_URL: ['GITHUB_CLIENT_ID'],
  GITHUB_OAUTH_API_URL: ['GITHUB_OAUTH_URL'],
};

/** Returns one sentence for each variable that is missing because another one requires it. */
function problemsOfMissing(set: ReadonlyMap<string, string>): string[] {
  const missing = new Map<string, string>();
  for (const [present, needed] of Object.entries(NEEDS)) {
    if (!set.has(present)) continue;
    for (const name of needed) if (!set.has(name) && !missing.has(name)) missing.set(name, present);
  }
  return [...missing].map(([name, present]) => `${name} is missing: ${present} is set and requires it.`);
}

/** Former names of variables, each with its present name and the meaning of the present variable. */
const FORMER_NAMES: Readonly<Record<string, { now: keyof Values; meaning: string }>> = {
  REPOSITORY_REFRESH_PER_HOUR: { now: 'REFRESH_PER_HOUR', meaning: 'requests to all sources, not listings' },
};

function problemsOfNames(set: ReadonlyMap<string, string>): string[] {
  const strange = [...set.keys()].sort().filter((name) => !(name in VARIABLES));
  return strange.filter(hasOwnPrefix).map((name) => {
    const renamed = FORMER_NAMES[name];
    if (renamed)
      return `${name} is now called ${renamed.now}: set that instead; it counts ${renamed.meaning}.`;
    const meant = closestVariable(name);
    return `${name} is not a variable of this server: ${meant ? `did you mean ${meant}?` : 'is it misspelt?'}`;
  });
}

/** Returns true if a name has a prefix that no other program uses. */
export function hasOwnPrefix(name: string): boolean {
  return OWN_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function toConfig(values: Values) {
  const { METRICS_PORT: metricsPort, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values;
  return Object.freeze({
    host: values.HOST,
    /** Port; 0 means any free port. */
    port: values.PORT,
    /** Origin without path or trailing slash. */
    publicUrl: values.PUBLIC_URL ?? localUrl(values.HOST, values.PORT),
    /** Networks of the trusted reverse proxies, in CIDR notation. */
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    /** Address of the metrics endpoint; null disables metrics. */
    metrics: metricsPort === null ? null : Object.freeze({ host: values.METRICS_HOST, port: metricsPort }),
    /** Collector and sampling of traces; null disables tracing. */
    tracing:
      endpoint === null
        ? null
        : Object.freeze({
            endpoint,
            serviceName: values.OTEL_SERVICE_NAME,
            share: values.OTEL_TRACES_SAMPLER_ARG,
          }),
    /** URL of the database; null means the embedded PostgreSQL under `dataDir`. */
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    databaseReadPoolSize: values.DATABASE_READ_POOL_SIZE,
    /** Read replicas of `databaseUrl`. */
    databaseReadUrls: values.DATABASE_READ_URLS,
    /** False behind a pooler that changes the server process of a session. */
    databasePreparedStatements: values.DATABASE_PREPARED_STATEMENTS === 'on',
    databaseStartTimeoutSeconds: values.DATABASE_START_TIMEOUT_SECONDS,
    dataDir: resolve(values.DATA_DIR),
    redisUrl: values.REDIS_URL,
    /** URL of the HTTP scoring backend; null means the embedded scoring method. Set together with `scoringToken`. */
    scoringUrl: values.SCORING_URL,
    scoringToken: values.SCORING_TOKEN,
    /** Keys that sign scores, as JSON; null if they are in `signingKeyFile`. */
    signingKey: values.SIGNING_KEY,
    /** File of the keys that sign scores; null means a file in `dataDir`. */
    signingKeyFile: values.SIGNING_KEY_FILE === null ? null : resolve(values.SIGNING_KEY_FILE),
    plansFile: values.PLANS_FILE === null ? OWN_PLANS_FILE : resolve(values.PLANS_FILE),
    synonymsFile: values.SYNONYMS_FILE === null ? OWN_SYNONYMS_FILE : resolve(values.SYNONYMS_FILE),
    sdk: Object.freeze({
      releasesDir: values.SDK_RELEASES_DIR === null ? null : resolve(values.SDK_RELEASES_DIR),
      installFrom: values.SDK_INSTALL_FROM,
    }),
    /** Host names in lower case, in the order in which a bare `owner/repo` is searched. */
    repositoryHosts: values.REPOSITORY_HOSTS,
    /** Hosts in addition to the known ones, or with another URL. */
    hostApiUrls: values.HOST_API_URLS,
    hostApiTokens: values.HOST_API_TOKENS,
    /** Maximum requests per hour to refresh facts; 0 disables the background job. */
    refreshPerHour: values.REFRESH_PER_HOUR,
    /** Days for which the change feed keeps changes. */
    changesDays: values.CHANGES_DAYS,
    /** Domains whose agent cards are read. Their `url` is read instead of the domain; null means the domain itself. */
    wellKnownDomains: values.WELL_KNOWN_DOMAINS,
    signIn: toSignIn(values),
    corsOrigins: values.CORS_ORIGINS,
    publicMaxAgeSeconds: values.PUBLIC_MAX_AGE_SECONDS,
    /** Size of the response cache in MB; 0 disables it. */
    responseCacheMb: values.KEPT_ANSWERS_MB,
    /** Rate limits in requests per minute; 0 disables a limit. */
    rateLimits: Object.freeze({
      publicPerMinute: values.RATE_LIMIT_PUBLIC_PER_MINUTE,
      readPerMinute: values.RATE_LIMIT_READ_PER_MINUTE,
      writePerMinute: values.RATE_LIMIT_WRITE_PER_MINUTE,
      meteredPerMinute: values.RATE_LIMIT_METERED_PER_MINUTE,
      unkeyedPerMinute: values.RATE_LIMIT_UNKEYED_PER_MINUTE,
      failedCredentialsPerMinute: values.RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE,
    }),
    /** Maximum metered calls of one process in flight: waiting for the scoring backend (`scoring`), and others. */
    meteredCalls: Object.freeze({ atWork: values.METERED_AT_WORK, scoring: values.METERED_SCORING }),
    timings: timingsAt(values.TIMINGS_SCALE, values.METERED_WAIT_MS),
  });
}

const OWN_PLANS_FILE = packageFile('plans.json');
const OWN_SYNONYMS_FILE = packageFile('synonyms.json');

/** Returns the configuration with the port that was chosen in place of port 0, so that links use it. */
export function onPort(config: Config, port: number): Config {
  const publicUrl =
    config.publicUrl === localUrl(config.host, 0) ? localUrl(config.host, port) : config.publicUrl;
  return Object.freeze({ ...config, port, publicUrl });
}

const UNSPECIFIED_ADDRESSES = ['0.0.0.0', '::'];

/** Returns the server's URL for clients on this machine. An address that means "all addresses" becomes localhost. */
function localUrl(host: string, port: number): string {
  const name = UNSPECIFIED_ADDRESSES.includes(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return new URL(`http://${name}:${port}`).origin;
}

/** Returns the timings of metered calls in milliseconds. */
function timingsAt(scale: number, holdMs: number) {
  const ms = (seconds: number) => Math.round(seconds * 1_000 * scale);
  return Object.freeze({
    /** Maximum wait for sessions and locks until the credits of the call are held. Afterwards the call responds 503. */
    holdMs,
    /** Timeout of one request to the scoring backend. */
    attemptMs: ms(20),
    /** Timeout of all requests of one call to the scoring backend, and of the delays between them. */
    budgetMs: ms(45),
    /** Lease of held credits: `budgetMs` plus 15 s for settling and for clock differences. */
    leaseMs: ms(60),
    /** Interval between two searches for holds with expired leases. */
    reaperMs: ms(5),
    /** Maximum wait before the second request to a busy backend; a longer Retry-After is shortened to it. */
    retryAfterCapMs: ms(5),
  });
}

import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { packageFile } from '../package-files.ts';
import { closestVariable } from './misspelt-variables.ts';
import type { Variable } from './parsers.ts';
import { OWN_PREFIXES, VARIABLES, type Values } from './settings.ts';
import { problemsOfIssuers, problemsOfSignIn, type SignInConfig, toSignIn } from './sign-in-config.ts';

/** Complete configuration, typed and frozen. */
export interface Config {
  readonly host: string;
  /** Port; 0 means any free one. */
  readonly port: number;
  /** Origin without path or trailing slash. */
  readonly publicUrl: string;
  /** Networks in CIDR notation. */
  readonly trustProxy: readonly string[];
  readonly logLevel: Values['LOG_LEVEL'];
  /** Address of the metrics endpoint; null disables metrics. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Collector and sampling of traces; null disables tracing. */
  readonly tracing: {
    readonly endpoint: string;
    readonly serviceName: string;
    readonly share: number;
  } | null;
  /** Null means the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly databaseReadPoolSize: number;
  /** Read replicas of `databaseUrl`. */
  readonly databaseReadUrls: readonly string[];
  /** False behind a pooler that reassigns server processes. */
  readonly databasePreparedStatements: boolean;
  readonly databaseStartTimeoutSeconds: number;
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  readonly redisUrl: string | null;
  /** Null means the embedded method. Set together with `scoringToken`. */
  readonly scoringUrl: string | null;
  readonly scoringToken: string | null;
  /** Absolute path of the plans file. */
  readonly plansFile: string;
  /** Absolute path of the synonyms file. */
  readonly synonymsFile: string;
  readonly sdk: {
    /** Absolute path, or null. */
    readonly releasesDir: string | null;
    readonly installFrom: Values['SDK_INSTALL_FROM'];
  };
  /** Lower case, in the order in which a bare `owner/repo` is searched. */
  readonly repositoryHosts: readonly string[];
  /** Additions to the known hosts. */
  readonly hostApiUrls: Values['HOST_API_URLS'];
  readonly hostApiTokens: Values['HOST_API_TOKENS'];
  /** Listings per hour; 0 disables refreshing. */
  readonly repositoryRefreshPerHour: number;
  readonly signIn: SignInConfig;
  readonly corsOrigins: readonly string[];
  readonly publicMaxAgeSeconds: number;
  /** Size of the response cache; 0 disables it. */
  readonly responseCacheMb: number;
  readonly rateLimits: RateLimits;
  readonly timings: Timings;
  /** Concurrency limits of one process. */
  readonly meteredCalls: { readonly atWork: number; readonly scoring: number };
}

/** Requests per minute; 0 disables a limit. */
interface RateLimits {
  readonly publicPerMinute: number;
  readonly readPerMinute: number;
  readonly writePerMinute: number;
  readonly meteredPerMinute: number;
  readonly unkeyedPerMinute: number;
  readonly failedCredentialsPerMinute: number;
}

/** Time limits of a metered call. */
interface Timings {
  /** Maximum wait for sessions and locks until the hold is stored; the response follows soon after. */
  readonly holdMs: number;
  /** Timeout of one request to the scoring backend. */
  readonly attemptMs: number;
  /** Timeout of all attempts and waits together. */
  readonly budgetMs: number;
  /** Lease of held credits: the budget plus 15 s for settling and for clock differences. */
  readonly leaseMs: number;
  /** Interval between two searches for expired holds. */
  readonly reaperMs: number;
  /** Longest Retry-After of the backend to wait for. */
  readonly retryAfterCapMs: number;
}

/** Thrown for an unusable configuration. The message lists all problems and contains no secret. */
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

/** Reads the file `.env` of a folder; variables of the process take precedence. */
export function readEnvironment(
  folder: string = process.cwd(),
  environment: Environment = process.env,
): Environment {
  const file = resolve(folder, '.env');
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...environment };
}

/** Loads the configuration of a server. On a terminal the default log level is warn. */
export function loadForServing(environment: Environment, isTerminal = process.stderr.isTTY === true): Config {
  const config = loadConfig(environment);
  return isTerminal && !nonEmptyVariables(environment).has('LOG_LEVEL')
    ? { ...config, logLevel: 'warn' }
    : config;
}

/** Parses the environment; empty values count as unset. Throws a ConfigError with all problems. */
export function loadConfig(environment: Environment): Config {
  const set = nonEmptyVariables(environment);
  const problems: string[] = [];
  const values = parseVariables(VARIABLES, set, problems) as Values;
  problems.push(...problemsBetween(set), ...problemsOfSignIn(set), ...problemsOfNames(set));
  if (problems.length > 0) throw new ConfigError(problems);
  const config = freeze(toConfig(values));
  const ofIssuers = problemsOfIssuers(config.signIn);
  if (ofIssuers.length > 0) throw new ConfigError(ofIssuers);
  return config;
}

/** Returns the variables that are set to a non-empty value. */
export function nonEmptyVariables(environment: Environment): Map<string, string> {
  const pairs = Object.entries(environment).map(([name, text]) => [name, text?.trim() ?? ''] as const);
  return new Map(pairs.filter(([, text]) => text !== ''));
}

/** Parses variables by name; adds a sentence to `problems` for each invalid one. */
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

function problemsBetween(set: ReadonlyMap<string, string>): string[] {
  return [...problemsOfReplicas(set), ...problemsOfScoring(set)];
}

function problemsOfReplicas(set: ReadonlyMap<string, string>): string[] {
  if (!set.has('DATABASE_READ_URLS') || set.has('DATABASE_URL')) return [];
  return ['DATABASE_URL is missing: DATABASE_READ_URLS is set and lists replicas of that database.'];
}

function problemsOfScoring(set: ReadonlyMap<string, string>): string[] {
  if (set.has('SCORING_URL') === set.has('SCORING_TOKEN')) return [];
  const [missing, present] = set.has('SCORING_URL')
    ? ['SCORING_TOKEN', 'SCORING_URL']
    : ['SCORING_URL', 'SCORING_TOKEN'];
  return [`${missing} is missing: ${present} is set, and both are required together.`];
}

function problemsOfNames(set: ReadonlyMap<string, string>): string[] {
  const strange = [...set.keys()].sort().filter((name) => !(name in VARIABLES));
  return strange.filter(hasOwnPrefix).map((name) => {
    const meant = closestVariable(name);
    return `${name} is not a variable of this server: ${meant ? `did you mean ${meant}?` : 'is it misspelt?'}`;
  });
}

/** Returns true if a name has a prefix that only this program uses. */
export function hasOwnPrefix(name: string): boolean {
  return OWN_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function toConfig(values: Values): Config {
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL ?? localUrl(values.HOST, values.PORT),
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    metrics:
      values.METRICS_PORT === null
        ? null
        : Object.freeze({ host: values.METRICS_HOST, port: values.METRICS_PORT }),
    tracing:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === null
        ? null
        : Object.freeze({
            endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
            serviceName: values.OTEL_SERVICE_NAME,
            share: values.OTEL_TRACES_SAMPLER_ARG,
          }),
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    databaseReadPoolSize: values.DATABASE_READ_POOL_SIZE,
    databaseReadUrls: values.DATABASE_READ_URLS,
    databasePreparedStatements: values.DATABASE_PREPARED_STATEMENTS === 'on',
    databaseStartTimeoutSeconds: values.DATABASE_START_TIMEOUT_SECONDS,
    dataDir: resolve(values.DATA_DIR),
    redisUrl: values.REDIS_URL,
    scoringUrl: values.SCORING_URL,
    scoringToken: values.SCORING_TOKEN,
    plansFile: values.PLANS_FILE === null ? OWN_PLANS_FILE : resolve(values.PLANS_FILE),
    synonymsFile: values.SYNONYMS_FILE === null ? OWN_SYNONYMS_FILE : resolve(values.SYNONYMS_FILE),
    sdk: Object.freeze({
      releasesDir: values.SDK_RELEASES_DIR === null ? null : resolve(values.SDK_RELEASES_DIR),
      installFrom: values.SDK_INSTALL_FROM,
    }),
    repositoryHosts: values.REPOSITORY_HOSTS,
    hostApiUrls: values.HOST_API_URLS,
    hostApiTokens: values.HOST_API_TOKENS,
    repositoryRefreshPerHour: values.REPOSITORY_REFRESH_PER_HOUR,
    signIn: toSignIn(values),
    corsOrigins: values.CORS_ORIGINS,
    publicMaxAgeSeconds: values.PUBLIC_MAX_AGE_SECONDS,
    responseCacheMb: values.KEPT_ANSWERS_MB,
    rateLimits: {
      publicPerMinute: values.RATE_LIMIT_PUBLIC_PER_MINUTE,
      readPerMinute: values.RATE_LIMIT_READ_PER_MINUTE,
      writePerMinute: values.RATE_LIMIT_WRITE_PER_MINUTE,
      meteredPerMinute: values.RATE_LIMIT_METERED_PER_MINUTE,
      unkeyedPerMinute: values.RATE_LIMIT_UNKEYED_PER_MINUTE,
      failedCredentialsPerMinute: values.RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE,
    },
    meteredCalls: Object.freeze({ atWork: values.METERED_AT_WORK, scoring: values.METERED_SCORING }),
    timings: { ...timingsAt(values.TIMINGS_SCALE), holdMs: values.METERED_WAIT_MS },
  };
}

const OWN_PLANS_FILE = packageFile('plans.json');
const OWN_SYNONYMS_FILE = packageFile('synonyms.json');

/** Returns the configuration with the port that was chosen for port 0, so that links use it. */
export function onPort(config: Config, port: number): Config {
  const publicUrl =
    config.publicUrl === localUrl(config.host, 0) ? localUrl(config.host, port) : config.publicUrl;
  return freeze({ ...config, port, publicUrl });
}

const UNSPECIFIED_ADDRESSES = ['0.0.0.0', '::'];

/** Returns the server's URL for clients on this machine; "all addresses" becomes localhost. */
function localUrl(host: string, port: number): string {
  const name = UNSPECIFIED_ADDRESSES.includes(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return new URL(`http://${name}:${port}`).origin;
}

function timingsAt(scale: number): Omit<Timings, 'holdMs'> {
  const ms = (seconds: number) => Math.round(seconds * 1_000 * scale);
  return {
    attemptMs: ms(20),
    budgetMs: ms(45),
    leaseMs: ms(60),
    reaperMs: ms(5),
    retryAfterCapMs: ms(5),
  };
}

function freeze(config: Config): Config {
  Object.freeze(config.rateLimits);
  Object.freeze(config.timings);
  return Object.freeze(config);
}

import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { meantBy } from './misspelt-variables.ts';
import { OWN_PREFIXES, VARIABLES, type Values } from './settings.ts';
import { problemsOfIssuers, problemsOfSignIn, type SignInConfig, toSignIn } from './sign-in-config.ts';
import type { Variable } from './variable.ts';

/** Everything that can be configured, typed and frozen. */
export interface Config {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** An origin: no path, no slash at its end. */
  readonly publicUrl: string;
  /** CIDRs. */
  readonly trustProxy: readonly string[];
  readonly logLevel: Values['LOG_LEVEL'];
  /** Null: nothing is counted. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Null: nothing is traced. */
  readonly tracing: {
    readonly endpoint: string;
    readonly serviceName: string;
    readonly share: number;
  } | null;
  /** Null: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly databaseReadPoolSize: number;
  /** Replicas of it; empty for none. */
  readonly databaseReadUrls: readonly string[];
  /** False behind a pooler that gives the statements of a session to several servers. */
  readonly databasePreparedStatements: boolean;
  readonly databaseStartTimeoutSeconds: number;
  /** Absolute path. */
  readonly dataDir: string;
  readonly redisUrl: string | null;
  /** Null: the embedded method. Set together with `scoringToken`. */
  readonly scoringUrl: string | null;
  readonly scoringToken: string | null;
  /** Absolute path. */
  readonly plansFile: string;
  /** Absolute path. */
  readonly synonymsFile: string;
  readonly sdk: {
    /** Absolute path; null for none. */
    readonly releasesDir: string | null;
    readonly installFrom: Values['SDK_INSTALL_FROM'];
  };
  /** In the order in which a bare `owner/repo` is looked for; lower case. */
  readonly repositoryHosts: readonly string[];
  /** Over the hosts that are known without it. */
  readonly hostApiUrls: Values['HOST_API_URLS'];
  readonly hostApiTokens: Values['HOST_API_TOKENS'];
  /** Listings; 0 is none. */
  readonly repositoryRefreshPerHour: number;
  readonly signIn: SignInConfig;
  readonly corsOrigins: readonly string[];
  readonly publicMaxAgeSeconds: number;
  /** 0 keeps none. */
  readonly keptAnswersMb: number;
  readonly rateLimits: RateLimits;
  readonly timings: Timings;
  /** Of one process at a time. */
  readonly meteredCalls: { readonly atWork: number; readonly scoring: number };
}

/** Requests a minute; 0 is no limit. */
interface RateLimits {
  readonly publicPerMinute: number;
  readonly readPerMinute: number;
  readonly writePerMinute: number;
  readonly meteredPerMinute: number;
  readonly unkeyedPerMinute: number;
  readonly failedCredentialsPerMinute: number;
}

/** The time limits of one metered call. */
interface Timings {
  /** What a call may wait for sessions and locks until its hold stands; the answer is out soon after. */
  readonly holdMs: number;
  /** One attempt at the scoring backend. */
  readonly attemptMs: number;
  /** All attempts and waits together. */
  readonly budgetMs: number;
  /** How long the credits stay held; 15 s beyond the budget for settling and for clocks that differ. */
  readonly leaseMs: number;
  /** How often holds with an ended lease are looked for. */
  readonly reaperMs: number;
  /** The longest Retry-After of the backend that is waited for. */
  readonly retryAfterCapMs: number;
}

/** The configuration cannot be used; the message lists every problem, and no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Variables by name, as the process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a file `.env` in the folder says, and over it the process's own environment. */
export function readEnvironment(
  folder: string = process.cwd(),
  environment: Environment = process.env,
): Environment {
  const file = resolve(folder, '.env');
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...environment };
}

/** Loads the configuration of a server: where a person watches it on a terminal, it logs only warnings unless told more. */
export function loadForServing(environment: Environment, isTerminal = process.stderr.isTTY === true): Config {
  const config = loadConfig(environment);
  return isTerminal && !trimmed(environment).has('LOG_LEVEL') ? { ...config, logLevel: 'warn' } : config;
}

/** Parses the environment; an empty text counts as unset. Throws a ConfigError with all problems at once. */
export function loadConfig(environment: Environment): Config {
  const set = trimmed(environment);
  const problems: string[] = [];
  const values = parseVariables(VARIABLES, set, problems) as Values;
  problems.push(...problemsBetween(set), ...problemsOfSignIn(set), ...problemsOfNames(set));
  if (problems.length > 0) throw new ConfigError(problems);
  const config = freeze(toConfig(values));
  const ofIssuers = problemsOfIssuers(config.signIn);
  if (ofIssuers.length > 0) throw new ConfigError(ofIssuers);
  return config;
}

/** The variables that are set: an empty text counts as unset. */
export function trimmed(environment: Environment): Map<string, string> {
  const pairs = Object.entries(environment).map(([name, text]) => [name, text?.trim() ?? ''] as const);
  return new Map(pairs.filter(([, text]) => text !== ''));
}

/** The values of some variables by their names; adds a sentence to `problems` for each that cannot be used. */
export function parseVariables(
  variables: Readonly<Record<string, Variable<unknown>>>,
  set: ReadonlyMap<string, string>,
  problems: string[],
): Record<string, unknown> {
  const values = Object.entries(variables).map(([name, variable]) => {
    const text = set.get(name);
    const value = text === undefined ? variable.unset : variable.parse(text);
    if (value === undefined) {
      const shown = variable.secret ? 'has a value that cannot be used' : `is ${JSON.stringify(text)}`;
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
  return ['DATABASE_URL is missing: DATABASE_READ_URLS is set, and names replicas of what that one names.'];
}

function problemsOfScoring(set: ReadonlyMap<string, string>): string[] {
  if (set.has('SCORING_URL') === set.has('SCORING_TOKEN')) return [];
  const [missing, present] = set.has('SCORING_URL')
    ? ['SCORING_TOKEN', 'SCORING_URL']
    : ['SCORING_URL', 'SCORING_TOKEN'];
  return [`${missing} is missing: ${present} is set, and the two go together.`];
}

function problemsOfNames(set: ReadonlyMap<string, string>): string[] {
  const strange = [...set.keys()].sort().filter((name) => !(name in VARIABLES));
  return strange.filter(isOwnName).map((name) => {
    const meant = meantBy(name);
    return `${name} is no variable of this server: ${meant ? `did you mean ${meant}?` : 'is it misspelt?'}`;
  });
}

/** Tells whether a name begins as ours alone do. */
export function isOwnName(name: string): boolean {
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
    keptAnswersMb: values.KEPT_ANSWERS_MB,
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

/** The built server lies as deep in the package as src/config. */
const OWN_PLANS_FILE = fileURLToPath(new URL('../../plans.json', import.meta.url));
const OWN_SYNONYMS_FILE = fileURLToPath(new URL('../../synonyms.json', import.meta.url));

/** What was told to take any port (0), once it has taken one: links that the server builds lead there. */
export function onPort(config: Config, port: number): Config {
  const publicUrl =
    config.publicUrl === localUrl(config.host, 0) ? localUrl(config.host, port) : config.publicUrl;
  return freeze({ ...config, port, publicUrl });
}

const UNSPECIFIED_ADDRESSES = ['0.0.0.0', '::'];

/** Where a client on this machine finds the server: "all addresses" is none that it could call. */
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

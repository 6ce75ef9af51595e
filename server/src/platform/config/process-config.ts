import {
  type Config,
  ConfigError,
  type Environment,
  hasOwnPrefix,
  loadConfig,
  nonEmptyVariables,
  parseVariables,
  readEnvironment,
} from './load-config.ts';
import { misspeltVariables } from './misspelt-variables.ts';
import { VARIABLES, type Values } from './settings.ts';

/**
 * Reads the configuration of this process. Reports misspelt variables first, because the next error may be their
 * result.
 */
export function readConfig(load: (environment: Environment) => Config = loadConfig): Config {
  const environment = readEnvironment();
  // Misspelt names with a prefix of this program are configuration errors, so they are not reported here.
  warnOfMisspelt(environment, (name) => !hasOwnPrefix(name));
  return load(environment);
}

/**
 * Writes a sentence to standard error for each variable that differs from a known one by one letter, and for which
 * `isForeign` is true.
 */
export function warnOfMisspelt(environment: Environment, isForeign = (_name: string) => true): void {
  const names = [...nonEmptyVariables(environment).keys()].filter(isForeign);
  for (const sentence of misspeltVariables(names)) process.stderr.write(`${sentence}\n`);
}

/** Configuration of the scoring process, which needs no database, accounts or plans. */
export interface ScoringConfig {
  readonly host: string;
  readonly port: number;
  /** Bearer token that requests must contain. */
  readonly token: string;
  readonly logLevel: Values['LOG_LEVEL'];
}

const { SCORING_HOST, SCORING_PORT, SCORING_TOKEN, LOG_LEVEL } = VARIABLES;
const OWN = { SCORING_HOST, SCORING_PORT, SCORING_TOKEN, LOG_LEVEL };

/** Parses the variables of the scoring process only. Throws a ConfigError with all problems. */
export function loadScoringConfig(environment: Environment): ScoringConfig {
  const problems: string[] = [];
  const values = parseVariables(OWN, nonEmptyVariables(environment), problems) as Pick<
    Values,
    keyof typeof OWN
  >;
  if (values.SCORING_TOKEN === null) {
    problems.push('SCORING_TOKEN is missing: without it anyone could request scores.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze({
    host: values.SCORING_HOST,
    port: values.SCORING_PORT,
    token: values.SCORING_TOKEN ?? '',
    logLevel: values.LOG_LEVEL,
  });
}

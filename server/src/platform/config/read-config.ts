import {
  type Config,
  type Environment,
  hasOwnPrefix,
  loadConfig,
  nonEmptyVariables,
  readEnvironment,
} from './load-config.ts';
import { misspeltVariables } from './misspelt-variables.ts';

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

/** Writes a sentence to standard error for each variable that differs from a known one by one letter. */
export function warnOfMisspelt(environment: Environment, isForeign = (_name: string) => true): void {
  const names = [...nonEmptyVariables(environment).keys()].filter(isForeign);
  for (const sentence of misspeltVariables(names)) process.stderr.write(`${sentence}\n`);
}

import {
  type Config,
  type Environment,
  isOwnName,
  loadConfig,
  readEnvironment,
  trimmed,
} from './load-config.ts';
import { misspeltVariables } from './misspelt-variables.ts';

/** Reads the configuration of this process. Names misspelt variables first, because what fails next may come from them. */
export function readConfig(load: (environment: Environment) => Config = loadConfig): Config {
  const environment = readEnvironment();
  // A misspelt name with a prefix of our own is a problem of the configuration.
  warnOfMisspelt(environment, (name) => !isOwnName(name));
  return load(environment);
}

/** Writes a sentence to standard error for each variable that is one letter away from a known one. */
export function warnOfMisspelt(environment: Environment, isForeign = (_name: string) => true): void {
  const names = [...trimmed(environment).keys()].filter(isForeign);
  for (const sentence of misspeltVariables(names)) process.stderr.write(`${sentence}\n`);
}

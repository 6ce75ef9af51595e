import { ConfigurationError, logTo, type MockAnswer, mocked, TrustDirectory } from '../src/index.ts';
import type { Environment, ParsedOptions } from './command.ts';
import { configPath, readConfigFile } from './config-file.ts';
import { CommandError, EXIT } from './exit-code.ts';
import { fetchThroughProxy } from './proxy.ts';
import { countOption, textOption } from './read-command-line.ts';

/**
 * Opens the SDK's client. The command line overrides the environment, and the environment overrides the config file.
 * Throws a CommandError for an invalid setting, without a URL, and without a key if one is needed.
 */
export async function openClient(
  options: ParsedOptions,
  environment: Environment,
  needsKey: boolean,
  note: (line: string) => void,
): Promise<TrustDirectory> {
  const path = configPath(environment);
  const stored = await readConfigFile(path);
  const apiKey = environment.TRUST_DIRECTORY_API_KEY || stored.apiKey || null;
  if (needsKey && !apiKey) {
    throw new CommandError(
      EXIT.credential,
      `This needs an access key. Set TRUST_DIRECTORY_API_KEY, or write {"apiKey": "svc_live_…"} to ${path} (mode 600).`,
    );
  }
  const baseUrl = textOption(options, 'url') ?? (environment.TRUST_DIRECTORY_URL || stored.url);
  if (!baseUrl) throw new CommandError(EXIT.usage, noUrlSentence(path));
  const fetch = await fetchThroughProxy(environment);
  const hooks = environment.TRUST_DIRECTORY_DEBUG ? logTo({ debug: note }) : undefined;
  try {
    return new TrustDirectory({ apiKey, baseUrl, fetch, hooks, ...mocked(mockAnswer(options)) });
  } catch (error) {
    if (error instanceof ConfigurationError) throw new CommandError(EXIT.usage, settingsSentence(error));
    throw error;
  }
}

const noUrlSentence = (path: string) =>
  `The address of the service is missing. Set it with --url, TRUST_DIRECTORY_URL or "url" in ${path}; one on this machine is http://127.0.0.1:4000.`;

function mockAnswer(options: ParsedOptions): MockAnswer {
  const code = textOption(options, 'mock-code');
  const example = textOption(options, 'mock-example');
  const delay = countOption(options, 'mock-delay');
  if (code !== undefined && !/^[1-5]\d\d$/.test(code)) {
    throw new CommandError(EXIT.usage, '--mock-code must be a status such as 402.');
  }
  if (example !== undefined && !/^\w+$/.test(example)) {
    throw new CommandError(EXIT.usage, '--mock-example must be the name of an example, such as partial.');
  }
  return { ...(code && { code: Number(code) }), ...(example && { example }), ...(delay && { delay }) };
}

function settingsSentence({ message }: ConfigurationError): string {
  return /baseUrl/.test(message)
    ? 'The URL of the service must be a plain http or https address (--url, TRUST_DIRECTORY_URL or "url" in the config file).'
    : `Invalid setting: ${message}`;
}

import {
  ConfigurationError,
  type SigningKeys,
  VerificationError,
  type VerifiedScore,
  verifyScore,
} from '../../src/verify.ts';
import type { Command } from '../command.ts';
import { configPath, readConfigFile } from '../config-file.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { timeText } from '../format-score.ts';
import { fetchThroughProxy } from '../proxy.ts';
import { textOption } from '../read-command-line.ts';
import { readJsonFile, readSignedScore } from '../score-file.ts';
import { fieldLines, type Page, paragraph } from '../text/layout.ts';
import { optional } from './lookup.ts';

/** Verifies that the service of `--issuer`, or otherwise the configured one, has signed a score. */
export const verify: Command = {
  name: 'verify',
  argument: '<file>',
  argumentCount: [1, 1],
  summary: 'Verify a signed score from a file: who signed it, for what, and until when.',
  details: [
    'The file contains a signed score, or the JSON of a signature or of a metered call; - means standard input. The score must be signed by the service of --issuer, or else of --url, TRUST_DIRECTORY_URL or the config file. Addresses in the document are never followed.',
  ],
  options: {
    issuer: { value: 'URL', description: 'address of the service that must have signed; by default --url' },
    subject: { value: 'ID', description: 'canonical id that the score must be of; by default, any' },
    jwks: { value: 'FILE', description: 'read the keys from a JWK set, without a network' },
    at: { value: 'TIME', description: 'verify as of this time instead of now' },
  },
  examples: [
    ['trust-directory verify score.jws', 'With the keys of your service'],
    ['trust-directory verify score.jws --issuer https://directory.example --jwks keys.json', 'Offline'],
    ['trust-directory verify run.json --at 2026-11-20T12:00:00Z', 'As it was valid then'],
  ],
  async run({ words: [file = ''], options, output, environment, signal }) {
    const issuer =
      textOption(options, 'issuer') ?? (await configuredUrl(textOption(options, 'url'), environment));
    const subject = textOption(options, 'subject');
    const jwks = textOption(options, 'jwks');
    const at = textOption(options, 'at');
    const now = at === undefined ? new Date() : new Date(at);
    if (Number.isNaN(now.getTime()))
      throw new CommandError(EXIT.usage, '--at must be a time such as 2026-11-20T12:00:00Z.');
    const jws = await readSignedScore(file);
    const keys = jwks === undefined ? undefined : ((await readJsonFile(jwks)) as SigningKeys);
    const fetch = keys ? undefined : await fetchThroughProxy(environment);
    try {
      const verified = await verifyScore(jws, { issuer, subject, keys, now, signal, fetch });
      output.result(verified, verifiedLines);
      return EXIT.ok;
    } catch (error) {
      if (error instanceof ConfigurationError) throw new CommandError(EXIT.usage, error.message);
      if (error instanceof VerificationError)
        throw new CommandError(EXIT.invalid, `Not verified (${error.code}): ${error.message}`);
      throw error;
    }
  },
};

/** Returns the origin of the configured service. Throws a CommandError if none is configured. */
async function configuredUrl(
  option: string | undefined,
  environment: Parameters<Command['run']>[0]['environment'],
): Promise<string> {
  const url =
    option ?? (environment.TRUST_DIRECTORY_URL || (await readConfigFile(configPath(environment))).url);
  if (url && URL.canParse(url)) return new URL(url).origin;
  throw new CommandError(
    EXIT.usage,
    'Name the service that must have signed: --issuer URL. The document does not count, because anyone can write one.',
  );
}

function verifiedLines(found: VerifiedScore, page: Page): string[] {
  const { subject, scores, method, source, iss, exp, score_version: version } = found;
  return [
    ...paragraph(subject.name, page, 'bold'),
    ...fieldLines(
      [
        ['signed by', iss],
        ['type', subject.type],
        ...optional('repository', subject.repository),
        ['trust', `${scores.trust} (${scores.tier})`],
        ['confidence', `${scores.confidence}`],
        ['method', method === 'remote' ? `remote (${source})` : method],
        ['scored', timeText(version)],
        ['valid until', timeText(new Date(exp * 1000).toISOString())],
        ['id', subject.canonical_id],
        ['key', found.keyId],
        ['sha256', found.sha256],
      ],
      page,
    ),
  ];
}

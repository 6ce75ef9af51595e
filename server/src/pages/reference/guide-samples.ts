import { FRESH_KEY } from '../../ui/fresh-key.ts';
import { layOutJson } from './lay-out-json.ts';
import type { RealNames } from './sample-subjects.ts';

/** The code that the guide shows, about a subject that is there. */
export interface GuideSamples {
  subject: string;
  lookup: string;
  firstCall: string;
  program: string;
  commandLine: string;
  mock: string;
}

/** What the guide scores where the directory has no agent yet. */
const EXAMPLE = 'google-gemini/gemini-cli';

/** Marks where the fresh key goes, once the rest is quoted. */
const KEY = 'IDEMPOTENCY-KEY';

/** The guide's code at an origin. */
export function guideSamples(origin: string, names: RealNames): GuideSamples {
  const subject = names.get(EXAMPLE) ?? EXAMPLE;
  return {
    subject,
    lookup: `curl ${quoted(`${origin}/api/subjects?subject=${encodeURIComponent(subject)}`)}`,
    firstCall: [
      `curl ${origin}/api/svc/operations/run \\`,
      '  -H "Authorization: Bearer $TRUST_DIRECTORY_API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d ${quoted(layOutJson({ operation: 'agent_score', subject, idempotency_key: KEY }, '  ')).replace(KEY, () => FRESH_KEY)}`,
    ].join('\n'),
    program: [
      "import { TrustDirectory } from '@trust-directory/sdk';",
      '',
      '// Reads the access key from TRUST_DIRECTORY_API_KEY.',
      `const client = new TrustDirectory({ baseUrl: '${origin}' });`,
      `const run = await client.operations.run({ operation: 'agent_score', subject: ${JSON.stringify(subject)} });`,
      'if (!run.replayed) console.log(run.result.scores.trustScore, run.ledger_id);',
    ].join('\n'),
    commandLine: [
      `export TRUST_DIRECTORY_URL=${origin}`,
      `npx trust-directory lookup ${quoted(subject)}`,
    ].join('\n'),
    mock: ['npx trust-directory mock', 'export TRUST_DIRECTORY_URL=http://127.0.0.1:4010'].join('\n'),
  };
}

/** A word of a shell, whatever stands in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

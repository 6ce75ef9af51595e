import type { CreatedKey } from '../../../access/keys/create-key.ts';
import type { Operation } from '../../../access/plans/plans.ts';
import { loadSampleSubjects, sampleOf } from '../../../directory/sample-subjects.ts';
import { SHELL_IDEMPOTENCY_KEY } from '../../components/shell-idempotency-key.ts';
import { Notice } from '../frame/console-document.tsx';
import type { ConsoleDependencies } from '../frame/console-router.ts';
import { Breadcrumb } from '../frame/date-time.tsx';

interface KeyMadeProps {
  made: CreatedKey;
  name: string;
  site: string;
  /** Subject of the sample call. */
  asked: SampleCall;
}

/** Renders the secret of a new key. It is shown only once. */
export function NewKeySecret({ made, name, site, asked }: KeyMadeProps) {
  return (
    <>
      <Breadcrumb href="/console/keys">Keys</Breadcrumb>
      <h1>Your new key</h1>
      <Notice>
        <strong>Copy the secret now.</strong> It is not stored and cannot be shown again. Anyone who has it
        can spend your credits: keep it out of repositories and logs.
      </Notice>
      <section class="card narrow" aria-labelledby="secret">
        <h2 id="secret">
          Secret of <bdi>{name}</bdi>
        </h2>
        <div class="copy secret" data-copy="the secret">
          <code>{made.secret}</code>
        </div>
        <h3>Try it</h3>
        <div class="copy" data-copy="the call">
          <pre>{curlCommand(site, `'Authorization: Bearer ${made.secret}'`, asked)}</pre>
        </div>
        <p class="row">
          <a class="button primary" href="/console/keys">
            I have stored it
          </a>
        </p>
      </section>
    </>
  );
}

/** Operation and subject of a sample call. */
export interface SampleCall {
  operation: Operation;
  subject: string;
}

/** Chooses an existing subject for the sample call; a placeholder if the directory is empty. */
export async function loadSampleCall({
  database,
  publicUrls,
}: Pick<ConsoleDependencies, 'database' | 'publicUrls'>): Promise<SampleCall> {
  const samples = await loadSampleSubjects(database, publicUrls);
  for (const operation of ['agent_score', 'skill_score'] as const) {
    const subject = sampleOf(operation, samples);
    if (subject !== null) return { operation, subject };
  }
  return { operation: 'agent_score', subject: 'owner/repository' };
}

/** Builds a curl command for a metered call, with a fresh idempotency key. `authorization` is the quoted header. */
export function curlCommand(site: string, authorization: string, { operation, subject }: SampleCall): string {
  // A single quote would end the shell's quoted text.
  const text = (value: string) => JSON.stringify(value).replaceAll("'", '\\u0027');
  return [
    `curl ${site}/api/svc/operations/run \\`,
    `  -H ${authorization} \\`,
    `  -H 'Content-Type: application/json' \\`,
    "  -d '{",
    `    "operation": ${text(operation)},`,
    `    "subject": ${text(subject)},`,
    `    "idempotency_key": "${SHELL_IDEMPOTENCY_KEY}"`,
    "  }'",
  ].join('\n');
}

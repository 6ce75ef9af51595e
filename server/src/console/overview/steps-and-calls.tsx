import { type FirstAsked, firstCall } from '../keys/first-call.ts';
import type { OverviewProps } from './overview-view.tsx';

/** What to do next, as a list that is ticked off; once all of it is done, the ways on. */
export function NextSteps({ steps, receipts, site, asked }: OverviewProps) {
  const isOpen = steps.some(({ isDone }) => !isDone);
  return (
    <>
      {isOpen && (
        <section class="card" aria-labelledby="next">
          <h2 id="next">Next steps</h2>
          <ol class="checks">
            {steps.map(({ id, isDone, text, why, path }) => (
              <li key={id} class={isDone ? 'done' : undefined}>
                {isDone ? (
                  <>
                    {text} <span class="note">done</span>
                  </>
                ) : (
                  <>
                    <a href={path}>{text}</a>
                    <span class="why">{why}</span>
                  </>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      <section class="card" aria-labelledby="first-call">
        <h2 id="first-call">{receipts.length === 0 ? 'A first call' : 'How to call'}</h2>
        <p>
          <a href="/console/run">Try one here</a>, or with your key in the environment as{' '}
          <code>TRUST_DIRECTORY_API_KEY</code>:
        </p>
        <h3>curl</h3>
        <div class="copy" data-copy="the curl call">
          <pre>{firstCall(site, '"Authorization: Bearer $TRUST_DIRECTORY_API_KEY"', asked)}</pre>
        </div>
        <h3>SDK</h3>
        <div class="copy" data-copy="the SDK call">
          <pre>{sdkCall(site, asked)}</pre>
        </div>
      </section>
    </>
  );
}

function sdkCall(site: string, { operation, subject }: FirstAsked): string {
  return `import { TrustDirectory } from '@trust-directory/sdk';

const client = new TrustDirectory({ baseUrl: '${site}' });
const { result } = await client.operations.run({
  operation: '${operation}',
  subject: ${JSON.stringify(subject)},
});`;
}

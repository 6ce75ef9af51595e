import { MarkdownLine } from './markdown.tsx';
import type { Reference } from './reference.ts';

/** Every word that an error can carry: what it means, and what to do next. */
export function ErrorsView({ reference: { errors } }: { reference: Reference }) {
  return (
    <>
      <h1>Every error code</h1>
      <p class="lead muted">
        Programs should check the code. Show the sentence to people; its wording may change.
      </p>
      <p>
        Under <code>/api/svc/</code> the code is <code>code</code> and the sentence <code>error</code>.
        Everywhere else the code is <code>error</code> and the sentence <code>message</code>.
      </p>
      <div class="scroll">
        <table class="params">
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">What it means</th>
              <th scope="col">What to do</th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ code, means, next, statuses }) => (
              <tr key={code} id={code}>
                <th scope="row">
                  <a class="anchor" href={`#${code}`}>
                    <code>{code}</code>
                  </a>
                  {statuses.length > 0 && <span class="note">{statuses.join(', ')}</span>}
                </th>
                <td>
                  <MarkdownLine text={means} />
                </td>
                <td>
                  <MarkdownLine text={next} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

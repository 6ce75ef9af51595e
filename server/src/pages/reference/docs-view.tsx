import { REFERENCE_PATH, type ReferenceGroup } from './reference-index.ts';

/** The API reference: a list of every endpoint, which the script replaces by the whole of the contract. */
export function DocsView({ groups, site }: { groups: readonly ReferenceGroup[]; site: string }) {
  return (
    <>
      <div class="docs-head">
        <h1>API reference</h1>
        <p class="lead muted">
          Reading the directory needs no key. Registration, scores and receipts take an access key of yours.
        </p>
        <p class="row">
          <a href="/openapi.yaml">openapi.yaml</a>
          <a href="/openapi.json">openapi.json</a>
          <a href="/llms.txt">llms.txt</a>
          <a href="/console/keys">Your access keys</a>
        </p>
        <p class="muted small">
          Try it: <code>curl {site}/api/agents?limit=3</code>
        </p>
      </div>
      <div id="reference" data-contract={REFERENCE_PATH}>
        <div class="endpoints">
          {groups.map((group) => (
            <Group key={group.name} group={group} />
          ))}
        </div>
      </div>
    </>
  );
}

function Group({ group: { name, description, endpoints } }: { group: ReferenceGroup }) {
  return (
    <section>
      <h2>{name}</h2>
      <p class="muted">{description}</p>
      <ul>
        {endpoints.map(({ operationId, method, path, summary }) => (
          <li key={operationId} id={`operation/${operationId}`}>
            <code>
              <b>{method}</b> {path}
            </code>
            <span class="note">
              {summary} · {operationId}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

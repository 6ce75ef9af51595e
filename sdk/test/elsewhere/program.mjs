import { NotFoundError, TrustDirectory } from '@trust-directory/sdk';

/**
 * Uses the client in any runtime, as an application would, and returns the results: a list and all of its pages, a
 * look-up, a run that needs a retry, and an error of a known class.
 */
export async function program(baseUrl, apiKey) {
  const client = new TrustDirectory({ baseUrl, apiKey });
  const { total } = await client.agents.list({ q: 'release notes' });
  const names = [];
  for await (const { name } of client.agents.list({ limit: 1 })) names.push(name);
  const { canonical_id } = await client.subjects.lookup('example-labs/changelog-agent');
  const { meta, data: run } = await client.operations
    .run({ operation: 'agent_score', subject: canonical_id })
    .withResponse();
  const error = await client.agents.get('AGT-00000000').catch((reason) => reason);
  const isOurs = error instanceof NotFoundError;
  return {
    total,
    names,
    trust: run.result.scores.trustScore,
    attempts: meta.attempts,
    error: error.name,
    isOurs,
  };
}

/** A first metered call for a shell, which a free call pays; `authorization` is its header, quoted. */
export function firstCall(site: string, authorization: string): string {
  return [
    `curl ${site}/api/svc/operations/run \\`,
    `  -H ${authorization} \\`,
    `  -H 'Content-Type: application/json' \\`,
    "  -d '{",
    '    "operation": "agent_score",',
    '    "subject": "owner/repository",',
    '    "idempotency_key": "first-call"',
    "  }'",
  ].join('\n');
}

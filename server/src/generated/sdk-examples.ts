// Generated from openapi.yaml and the SDK by generate/sdk-examples.mjs. Don't edit it.

/** Calls of each endpoint with the SDK's `client`, as its documentation shows them. */
export const SDK_EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  "listAgents": [
    "const { data, total } = await client.agents.list({ q: 'browser automation', tier: 'high', limit: 5 });",
    "for await (const agent of client.agents.list({ category: 'coding' })) console.log(agent.name);"
  ],
  "getAgent": [
    "const { name, trustScore, confidence } = await client.agents.get('AGT-7K2MQ9XD');"
  ],
  "getAgentLineage": [
    "const { ancestors, descendants } = await client.agents.lineage('AGT-7K2MQ9XD');\nconsole.log(ancestors.map(({ agent }) => agent.name), descendants.length);"
  ],
  "getIdentity": [
    "const { displayName, trustScore } = await client.identities.get('google-gemini');"
  ],
  "lookupSubject": [
    "const { trustScore, confidence } = await client.subjects.lookup('npm:@upstash/context7-mcp');"
  ],
  "getSubject": [
    "const { name, public_path } = await client.subjects.get('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');"
  ],
  "getScoreSignature": [
    "const { jws } = await scoresOf(client).signature('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');"
  ],
  "listSigningKeys": [
    "const { keys } = await scoresOf(client).signingKeys();"
  ],
  "lookupSubjects": [
    "const { data } = await client.subjects.lookupMany(['npm:mcp-remote@0.1.15', 'pypi:mcp==1.9.4']);"
  ],
  "explainScore": [
    "const { contributions, improvements } = await scoresOf(client).explain('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');"
  ],
  "listScoreHistory": [
    "const past = scoresOf(client).history('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');\nfor await (const { score_version, trustScore } of past) console.log(score_version, trustScore);"
  ],
  "compareScores": [
    "const { summary, signals } = await scoresOf(client).difference('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');"
  ],
  "getPackage": [
    "const { standing, advisories } = await client.packages.get('npm:mcp-remote@0.1.15');"
  ],
  "listChanges": [
    "const { data, cursor } = await changesOf(client).list({ since: '2026-11-20T00:00:00Z', kinds: 'verdict,removal' });"
  ],
  "registerAgent": [
    "const { id, listingUrl } = await client.agents.register({\n  repoHostUrl: 'https://github.com/example-labs/changelog-agent',\n  name: 'Changelog Agent',\n  description: 'Drafts release notes from merged pull requests.',\n  category: 'coding',\n});"
  ],
  "runOperation": [
    "const run = await client.operations.run({ operation: 'agent_score', subject: 'google-gemini/gemini-cli' });\nif (run.result) console.log(run.result.scores.trustScore, run.ledger_id);",
    "const { price_credits, charge_source } = await client.operations.quote({ operation: 'skill_score', subject: 'upstash/context7' });"
  ],
  "listLinkedAccounts": [
    "const { data } = await consoleOf(client).linkedAccounts.list();\nconst proved = data.filter(({ state }) => state === 'proved');"
  ],
  "linkAccount": [
    "const account = { kind: 'repo_host', host: 'github.com', handle: 'example-labs' } as const;\nconst { code, instructions } = await consoleOf(client).linkedAccounts.link(account);"
  ],
  "removeLinkedAccount": [
    "await consoleOf(client).linkedAccounts.remove('0f8b2c1e-6a54-4c1d-9b0e-2f6d7a3c5e91');"
  ],
  "verifyLinkedAccount": [
    "const { provedAt } = await consoleOf(client).linkedAccounts.verify('0f8b2c1e-6a54-4c1d-9b0e-2f6d7a3c5e91');"
  ],
  "listChildren": [
    "for await (const { agent, relation } of consoleOf(client).children.list({ acknowledged: false })) {\n  console.log(agent.name, relation);\n}"
  ],
  "acknowledgeChild": [
    "const { acknowledgedAt } = await consoleOf(client).children.acknowledge('AGT-7K2MQ9XD');"
  ],
  "withdrawAcknowledgement": [
    "await consoleOf(client).children.withdraw('AGT-7K2MQ9XD');"
  ],
  "listOwnAgents": [
    "for await (const { name, trustScore, confidence } of consoleOf(client).agents.list()) {\n  console.log(name, trustScore, confidence);\n}"
  ],
  "refreshScore": [
    "const { trustScore, confidence, scoreVersion } = await consoleOf(client).agents.refreshScore('AGT-7K2MQ9XD');"
  ],
  "getSession": [
    "const { account, expires_at } = await consoleOf(client).account.session();"
  ],
  "signOut": [
    "await consoleOf(client).account.signOut();"
  ],
  "signOutEverywhere": [
    "const { ended } = await consoleOf(client).account.signOutEverywhere();"
  ],
  "getBalance": [
    "const { plan, buckets } = await consoleOf(client).account.balance();\nfor (const { charge_source, left, unit } of buckets) console.log(plan, charge_source, left, unit);"
  ],
  "setOverage": [
    "const { overage } = await consoleOf(client).account.setOverage({ enabled: true, cap: 500 });"
  ],
  "setHandle": [
    "const { account } = await consoleOf(client).account.setHandle('example-labs');"
  ],
  "listKeys": [
    "for await (const { name, last_four } of consoleOf(client).keys.list({ state: 'active' })) console.log(name, last_four);"
  ],
  "createKey": [
    "const { secret } = await consoleOf(client).keys.create({ name: 'nightly job', scopes: ['scores:read'] });"
  ],
  "revokeKey": [
    "await consoleOf(client).keys.revoke('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55');"
  ],
  "setKeyLimits": [
    "const limits = { monthly_calls: 100, monthly_credits: null };\nawait consoleOf(client).keys.limit('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55', limits);"
  ],
  "pauseKey": [
    "await consoleOf(client).keys.pause('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55');"
  ],
  "resumeKey": [
    "await consoleOf(client).keys.resume('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55');"
  ],
  "listUsage": [
    "for await (const { day, operation, used, unit } of consoleOf(client).usage.list({ from: '2026-11-01' })) {\n  console.log(day, operation, used, unit);\n}"
  ],
  "exportUsage": [
    "const file = await consoleOf(client).usage.csv({ from: '2026-11-01', to: '2026-11-30' });"
  ],
  "readBalance": [
    "const { buckets, access_key } = await balanceOf(client).get();\nconst left = buckets.reduce((sum, bucket) => sum + bucket.left, 0);"
  ],
  "readUsage": [
    "for await (const { day, operation, used, unit } of balanceOf(client).usage({ from: '2026-11-01' })) {\n  console.log(day, operation, used, unit);\n}"
  ],
  "listReceipts": [
    "for await (const receipt of client.receipts.list({ state: 'settled' })) console.log(receipt.ledger_id);"
  ],
  "getReceipt": [
    "const { state, amount, unit } = await client.receipts.get('01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47');"
  ]
};

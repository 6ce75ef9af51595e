import { assertTrust, checkTrust, PolicyError, TrustDirectory, type TrustPolicy } from '@trust-directory/sdk';

export async function run(baseUrl: string): Promise<unknown> {
  const client = new TrustDirectory({ baseUrl });
  const policy: TrustPolicy = { minTrust: 60, minConfidence: 40, minTier: 'medium', maxAgeDays: 100_000 };
  const { record } = await assertTrust(client, 'example-labs/changelog-agent', policy);

  const strict = await checkTrust(client, 'example-labs/changelog-agent', { ...policy, minTrust: 99 });
  const unknown = await assertTrust(client, 'nobody', policy).then(
    () => [],
    (error) => (error instanceof PolicyError ? error.reasons.map(({ code }) => code) : []),
  );
  return [record?.name, strict.ok, strict.reasons.map(({ code }) => code), unknown];
}

export const expected = ['Changelog Agent', false, ['low_trust'], ['unknown_subject']];

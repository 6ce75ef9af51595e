import { assertTrust } from '@trust-directory/sdk';
import type { Example } from './example.ts';
import { scoreText } from './score-text.ts';

/**
 * Checks a subject against a policy before an installation in a script or a pipeline. Rejects with a `PolicyError` that
 * has the reasons if the policy is not met, and with another error if the directory cannot be reached, because a
 * missing answer must not count as a pass. Arguments: subject, minimum trust, minimum confidence, maximum age of the
 * score in days.
 */
export const gateInstall: Example = async (
  client,
  print,
  subject = '',
  minTrust = '50',
  minConfidence = '10',
  maxAgeDays = '90',
) => {
  const policy = {
    minTrust: Number(minTrust),
    minConfidence: Number(minConfidence),
    maxAge: Number(maxAgeDays),
  };
  const { record } = await assertTrust(client, subject, policy);
  // Without a record, a subject can meet only a policy that requires no score. This one does, so there is a record here.
  print(
    `${record?.name} may be installed: ${scoreText(record?.trustScore ?? null, record?.confidence ?? null)}.`,
  );
};

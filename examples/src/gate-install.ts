import { assertTrust } from '@trust-directory/sdk';
import type { Example } from './example.ts';
import { scoreText } from './score-text.ts';

/**
 * Lets an installation go on only if the subject meets a policy: put it before the install in a script or a pipeline.
 * Rejects with a `PolicyError` that says why not, and with any other error where the directory can't be asked: no answer
 * is no yes. Arguments: subject, least trust, least confidence, days that the score may be old.
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
    maxAgeDays: Number(maxAgeDays),
  };
  const { record } = await assertTrust(client, subject, policy);
  // Only a policy of advisories alone is met by a package without a record.
  print(
    `${record?.name} may be installed: ${scoreText(record?.trustScore ?? null, record?.confidence ?? null)}.`,
  );
};

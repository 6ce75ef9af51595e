import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import { lookUpSubject } from '../../catalog/subjects/resolve-subject.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import type { HandlersOf } from '../../platform/http/contract/handlers-of.ts';
import type { ScoreSigner } from '../../scoring/signing/score-signer.ts';
import { signCurrentScore } from '../../scoring/signing/sign-current-score.ts';
import { compareSubject, explainSubject, listScoreHistory } from './explain-subject.ts';
import { presentDifference, presentExplanation, presentVersion } from './explanation.presenter.ts';

/** Creates the handlers of the public reads that explain scores, list past ones, and compare them. */
export function createExplanationHandlers({
  publicUrls,
}: {
  publicUrls: PublicUrls;
}): HandlersOf<'explainScore' | 'listScoreHistory' | 'compareScores'> {
  return {
    async explainScore({ reads, params, query }) {
      const { score_version: at = null } = query;
      const explained = await explainSubject(reads, params.canonical_id, at, publicUrls);
      return { status: 200, body: presentExplanation(explained, publicUrls) };
    },
    async listScoreHistory({ reads, params, query }) {
      const { cursor = null, limit } = query;
      const page = { cursor, limit };
      const found = await listScoreHistory(reads, params.canonical_id, page, publicUrls);
      const { versions, nextCursor } = found;
      return { status: 200, body: { data: versions.map(presentVersion), nextCursor } };
    },
    async compareScores({ reads, params, query }) {
      const { from = null, to = null } = query;
      const compared = await compareSubject(reads, params.canonical_id, { from, to }, publicUrls);
      return { status: 200, body: presentDifference(compared, publicUrls) };
    },
  };
}

interface SignatureHandlerParts {
  publicUrls: PublicUrls;
  /** Null if scores are not signed. */
  signer: ScoreSigner | null;
}

/** Creates the handlers of the public reads about signatures: a subject's signed score, and the keys that verify it. */
export function createSignatureHandlers({
  publicUrls,
  signer,
}: SignatureHandlerParts): HandlersOf<'getScoreSignature' | 'listSigningKeys'> {
  return {
    async getScoreSignature({ reads, params }) {
      if (!signer) throw new DomainError('not_found', 'This directory does not sign its scores.');
      const subject = await lookUpSubject(reads, params.canonical_id, null, publicUrls);
      const signed = await signCurrentScore(reads, signer, subject);
      if (!signed) throw new DomainError('not_found', `${subject.name} has no score that could be signed.`);
      return {
        status: 200,
        body: {
          jws: signed.jws,
          sha256: signed.sha256.toString('hex'),
          key_id: signed.keyId,
          score_version: signed.version,
          expires_at: signed.expiresAt.toISOString(),
        },
      };
    },
    async listSigningKeys() {
      return { status: 200, body: { keys: [...(signer?.publicKeys ?? [])] } };
    },
  };
}

import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import { type CreatorRow, creatorCardOf, proofsStableForMs } from '../creator/creator.queries.ts';
import { type ScoreDetail, scoreDetailOf, scoreStableForMs } from '../score/score-detail.queries.ts';

/** An artifact's score, and the creator of its repository. */
interface ArtifactDetails {
  creator: CreatorRow;
  /** Null without a confirmed score. */
  score: ScoreDetail | null;
}

/** One statement, because a page waits for each round trip. */
const DETAILS = `SELECT (SELECT row_to_json(score) FROM (${scoreDetailOf('$1')}) AS score) AS score, row_to_json(creator) AS creator
  FROM (${creatorCardOf('$2')}) AS creator`;

/** Loads the details of an artifact; throws if the creator is gone. */
export async function loadArtifactDetails(
  connection: Connection,
  artifactId: string,
  creatorId: string,
): Promise<ArtifactDetails> {
  const [details] = await queryTimeDependent<ArtifactDetails>(
    connection,
    DETAILS,
    [artifactId, creatorId],
    ([found]) =>
      found
        ? Math.min(scoreStableForMs(found.score), proofsStableForMs(found.creator.proved))
        : Number.POSITIVE_INFINITY,
  );
  if (!details) throw new Error(`the creator ${creatorId} of an artifact's repository is gone`);
  return details;
}

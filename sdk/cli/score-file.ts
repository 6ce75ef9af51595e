import { createReadStream } from 'node:fs';
import { CommandError, EXIT } from './exit-code.ts';

/**
 * Reads a signed score from a file, or from standard input for `-`. The file may contain the document itself, or the
 * JSON of `GET /api/subjects/{canonical_id}/signature` or of a metered call. Throws a CommandError if the file contains
 * no signed score.
 */
export async function readSignedScore(path: string): Promise<string> {
  const content = (await read(path)).trim();
  const found = content.startsWith('{') ? signatureIn(parse(content, path)) : content;
  if (typeof found === 'string' && found) return found;
  throw new CommandError(
    EXIT.usage,
    `${path} contains no signed score: neither a JWS, nor the JSON of a signature or of a fresh metered call.`,
  );
}

/** Reads a file with JSON, such as a JWK set. Throws a CommandError if it can't be read or parsed. */
export async function readJsonFile(path: string): Promise<unknown> {
  return parse(await read(path), path);
}

function signatureIn(answer: unknown): unknown {
  const { jws, signature, result } = Object(answer) as Record<string, unknown>;
  const { score_evidence: evidence } = Object(result ?? answer) as Record<string, unknown>;
  return jws ?? signature ?? Object(evidence).signature;
}

/** Maximum size of a file; the answer of a metered call with its signed score has less than 1 MiB. */
const MAX_MEBIBYTES = 8;

/** Reads a file as text. Stops with a CommandError above the maximum size, because a device or a pipe may never end. */
async function read(path: string): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of path === '-' ? process.stdin : createReadStream(path)) {
      parts.push(Buffer.from(part));
      size += part.length;
      if (size > MAX_MEBIBYTES * 1024 * 1024)
        throw new CommandError(EXIT.usage, `${path} has more than ${MAX_MEBIBYTES} MiB.`);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(EXIT.usage, `${path} can't be read (${code}).`);
  }
  return Buffer.concat(parts).toString();
}

function parse(content: string, path: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new CommandError(EXIT.usage, `${path} is not valid JSON.`);
  }
}

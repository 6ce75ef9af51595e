import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
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

/** Reads a file with JSON, such as a JWK set. Throws a CommandError. */
export async function readJsonFile(path: string): Promise<unknown> {
  return parse(await read(path), path);
}

function signatureIn(answer: unknown): unknown {
  const { jws, signature, result } = Object(answer) as Record<string, unknown>;
  const { score_evidence: evidence } = Object(result ?? answer) as Record<string, unknown>;
  return jws ?? signature ?? Object(evidence).signature;
}

async function read(path: string): Promise<string> {
  try {
    return await (path === '-' ? text(process.stdin) : readFile(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(EXIT.usage, `${path} can't be read (${code}).`);
  }
}

function parse(content: string, path: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new CommandError(EXIT.usage, `${path} is not valid JSON.`);
  }
}

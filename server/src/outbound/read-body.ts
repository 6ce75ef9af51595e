import type { Dispatcher } from 'undici';
import { OutboundFailure } from './outbound-failure.ts';

/** Status, headers and text of an answer, read to its end and never beyond the limit. */
export async function readBody(
  answer: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const headers = flat(answer.headers);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early destroys the stream, and with it the connection.
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new OutboundFailure('too_large', `the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new OutboundFailure('no_answer', 'the answer is compressed although that was not asked for');
  }
  return { status: answer.statusCode, headers, body: Buffer.concat(chunks).toString('utf8') };
}

/** The first value of each header: none that is read here may stand twice. */
function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? [] : [[name.toLowerCase(), first] as const];
  });
  return Object.fromEntries(entries);
}

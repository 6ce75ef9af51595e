import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';

/** An answer that was read to its end. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Below it an answer is only told of, and the answer itself comes later. */
const FIRST_FINAL_STATUS = 200;
const utf8 = new TextDecoder();

/**
 * Sends one request, and gathers all of its answer: until it has ended it takes a connection, whatever it says. No stream is
 * made of it, which would take as long as all else of a small answer. Rejects with the signal's reason, or with what happened
 * to the connection.
 */
export function wholeAnswer(
  pool: Pool,
  call: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let begun = { status: 0, headers: {} as IncomingHttpHeaders };
    const pieces: Buffer[] = [];
    // One that still waits for a connection is not sent any more.
    const giveUp = () => {
      controller?.abort(signal.reason);
      reject(signal.reason);
    };
    const end = () => signal.removeEventListener('abort', giveUp);
    signal.addEventListener('abort', giveUp);
    pool.dispatch(call, {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) started.abort(signal.reason);
      },
      onResponseStart(_controller, status, headers) {
        if (status >= FIRST_FINAL_STATUS) begun = { status, headers };
      },
      onResponseData(_controller, piece) {
        pieces.push(piece);
      },
      onResponseEnd() {
        end();
        resolve({ ...begun, text: utf8.decode(Buffer.concat(pieces)) });
      },
      onResponseError(_controller, error) {
        end();
        reject(error);
      },
    });
  });
}

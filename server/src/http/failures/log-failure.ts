import type { FastifyBaseLogger } from 'fastify';
import { errorCode } from '../../database/database-errors.ts';

/** What is logged of a failure nobody foresaw: kind, code and places, never a message that could hold a value. */
export function logFailure(log: FastifyBaseLogger, error: unknown): void {
  const { name, message, stack } = error as Error;
  // The message stands in the stack too, and a value that it quotes may look like a place.
  const frames = stack
    ?.replace(message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8);
  log.error({ failure: name, sqlState: errorCode(error)?.code, frames }, 'request failed');
}

import type { FastifyBaseLogger } from 'fastify';
import { errorCode } from '../../database/database-errors.ts';

/** Logs an unexpected failure: its kind, code and stack frames. Never logs its message, which may contain values. */
export function logFailure(log: FastifyBaseLogger, error: unknown): void {
  const { name, message, stack } = error as Error;
  // The stack contains the message, in which a quoted value may look like a stack frame.
  const frames = stack
    ?.replace(message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8);
  log.error({ failure: name, sqlState: errorCode(error)?.code, frames }, 'request failed');
}

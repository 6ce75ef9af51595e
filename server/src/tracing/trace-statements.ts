import type { Span } from '@opentelemetry/api';
import type { DatabaseWatch } from '../database/database-watch.ts';
import type { Tracer } from './open-tracer.ts';

/**
 * A span for each statement that travels for several calls. It stands under the first of them and has a link to each other
 * one, since it belongs to all. Nothing of its text or values is told.
 */
export function traceStatements(tracer: Tracer): DatabaseWatch {
  return {
    asks: () => tracer.current(),
    sends(statement, askers) {
      const calls = askers.filter((asker): asker is Span => asker !== undefined);
      const [first, ...others] = calls;
      const span = tracer.start(`ledger ${statement}`, {
        kind: 'CLIENT',
        attributes: { 'db.system.name': 'postgresql', 'db.operation.batch.size': askers.length },
        ...(first && { parent: tracer.contextOf(first) }),
        links: others,
      });
      return (hasFailed) => tracer.end(span, hasFailed);
    },
  };
}

import { expect, it } from 'vitest';
import { createStandIn, createSyncStandIn } from '../../../testing/stand-ins/stand-in-backend.ts';
import type { Tracer } from '../../platform/telemetry/open-tracer.ts';
import { traceBackend } from './trace-backend.ts';

const tracer = {} as Tracer;

it('a traced backend answers at once where the backend does, and only there', () => {
  expect(traceBackend(createSyncStandIn(), tracer).scoreSync).toBeTypeOf('function');
  expect(traceBackend(createStandIn(), tracer)).not.toHaveProperty('scoreSync');
});

import { expect, it } from 'vitest';
import { holds } from '../run-in-suite.ts';
import { balanced } from './balanced.ts';

const missing = balanced.missing?.() ?? null;

it.skipIf(missing !== null)(
  `three processes behind HAProxy charge, refuse, count and forget as one${missing ? ` (not run: ${missing})` : ''}`,
  async () => {
    expect(await holds(balanced)).toMatchObject({ processes: 3, sameKey: 120, revocation: 2, session: 2 });
  },
);

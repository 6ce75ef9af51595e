import { createRequire } from 'node:module';
import type { Bundler } from '../bundles.ts';

/** Parts of webpack's API that this file uses. Webpack is installed only for the long tests. */
type Webpack = (
  options: object,
  done: (error: Error | null, stats?: { hasErrors(): boolean; toString(): string }) => void,
) => void;

/** Bundles with webpack's defaults, which target browsers. */
export const webpack: Bundler = (program, path) =>
  new Promise((resolve, reject) => {
    const run = createRequire(import.meta.url)('webpack') as Webpack;
    run({ mode: 'production', entry: program, output: { path }, performance: false }, (error, stats) => {
      if (error || !stats || stats.hasErrors()) reject(error ?? new Error(stats?.toString()));
      else resolve();
    });
  });

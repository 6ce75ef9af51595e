import { defineConfig } from '@hey-api/openapi-ts';

/**
 * Types of every endpoint's request and replies, made from the contract by `npm run generate`.
 * `npm run check:generated` sets GENERATED_FOLDER to compare a fresh copy with the committed one.
 */
export default defineConfig({
  input: '../openapi.yaml',
  output: {
    path: process.env.GENERATED_FOLDER ?? 'src/generated',
    entryFile: false,
    module: { extension: '.ts' },
  },
  plugins: ['@hey-api/typescript', 'fastify'],
});

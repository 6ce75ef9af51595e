import { defineConfig } from '@hey-api/openapi-ts';

/** A parameter of the contract, as far as it matters here. */
interface Parameter {
  required?: boolean;
  schema?: { default?: unknown };
}

/**
 * Types of every endpoint's request and replies, made from the contract by `npm run generate`. A parameter with a default
 * is always there: the server's validator fills it in before a handler sees the request.
 * `npm run check:generated` sets GENERATED_FOLDER to compare a fresh copy with the committed one.
 */
export default defineConfig({
  input: '../openapi.yaml',
  output: {
    path: process.env.GENERATED_FOLDER ?? 'src/generated',
    entryFile: false,
    module: { extension: '.ts' },
  },
  parser: {
    patch(document) {
      const { parameters } = (document as { components: { parameters: Record<string, Parameter> } })
        .components;
      for (const parameter of Object.values(parameters)) {
        if (parameter.schema?.default !== undefined) parameter.required = true;
      }
    },
  },
  plugins: ['@hey-api/typescript', 'fastify'],
});

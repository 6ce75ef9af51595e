import { defineConfig } from '@openapi-codegen/cli';
import { generateFetchers, generateSchemaTypes } from '@openapi-codegen/typescript';

/** Configuration that `openapi-codegen init` writes for the template "fetchers". */
export default defineConfig({
  directory: {
    from: { source: 'file', relativePath: './openapi.json' },
    outputDir: './client',
    to: async (context) => {
      const filenamePrefix = 'directory';
      const { schemasFiles } = await generateSchemaTypes(context, { filenamePrefix });
      await generateFetchers(context, { filenamePrefix, schemasFiles });
    },
  },
});

import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

/** Kubb has no defaults without a file: the types and the client, with the defaults of each. */
export default defineConfig({
  input: { path: './openapi.json' },
  output: { path: './client' },
  plugins: [pluginOas(), pluginTs(), pluginClient()],
});

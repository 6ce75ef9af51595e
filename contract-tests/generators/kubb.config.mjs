import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

/** Kubb needs a configuration file. This one asks for the types and the client, with their defaults. */
export default defineConfig({
  input: { path: './openapi.json' },
  output: { path: './client' },
  plugins: [pluginOas(), pluginTs(), pluginClient()],
});

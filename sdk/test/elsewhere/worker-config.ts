import { DIST, modulesOf, OPENAPI_FETCH } from './published-modules.ts';

/** Import name and file of a worker's module. The first module handles requests. */
export type WorkerModule = readonly [name: string, file: string];

/**
 * Generates the workerd configuration of a worker that uses the published files, with these text bindings. Workerd resolves a
 * relative import against the name of the importing module, so the names of the package's modules begin with
 * `@trust-directory/`.
 */
export function workerConfig(own: readonly WorkerModule[], bindings: Record<string, string>): string {
  const sdk = modulesOf('index.mjs').slice(1);
  const modules: WorkerModule[] = [
    ...own,
    ['@trust-directory/sdk', `${DIST}index.mjs`],
    ['@trust-directory/openapi-fetch', OPENAPI_FETCH],
    ...sdk.map((name): WorkerModule => [`@trust-directory/${name}`, `${DIST}${name}`]),
  ];
  const embedded = modules.map(([name, file]) => `(name = "${name}", esModule = embed "${file}")`);
  const bound = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = "${text}")`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      compatibilityDate = "2026-11-01",
      modules = [${embedded.join(', ')}],
      bindings = [${bound.join(', ')}],
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["127.0.0.1/32"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
}

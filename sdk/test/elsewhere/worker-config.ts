import { DIST, modulesOf, OPENAPI_FETCH } from './published-modules.ts';

/** A module of a worker: the name that others import it by, and its file. The first one of a worker answers its requests. */
export type WorkerModule = readonly [name: string, file: string];

/**
 * A workerd configuration of a worker on the published files as they are, with these texts bound to it. Names are resolved
 * against the importing module's own, so what the package imports has its prefix.
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

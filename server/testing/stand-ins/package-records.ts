/** Release of a package in a record that the stand-in host shows. */
interface Release {
  version: string;
  at: string;
  attested?: boolean;
  deprecated?: string;
  /** Field `repository` of the version's manifest. */
  repository?: unknown;
}

/** Creates a packument as the npm registry publishes it; the last release is tagged `latest`. */
export function packument(name: string, releases: readonly Release[], more: object = {}) {
  const versions = releases.map(({ version, attested = false, deprecated, repository }) => {
    const address = `https://registry.npmjs.org/${name}`;
    const provenance = { predicateType: 'https://slsa.dev/provenance/v1' };
    const dist = {
      shasum: '0'.repeat(40),
      tarball: `${address}/-/${name.split('/').at(-1)}-${version}.tgz`,
      signatures: [{ keyid: 'SHA256:x', sig: 'x' }],
      ...(attested && {
        attestations: {
          url: `https://registry.npmjs.org/-/npm/v1/attestations/${name}@${version}`,
          provenance,
        },
      }),
    };
    return [
      version,
      {
        name,
        version,
        dist,
        ...(deprecated !== undefined && { deprecated }),
        ...(repository !== undefined && { repository }),
      },
    ] as const;
  });
  const times = releases.map(({ version, at }) => [version, at] as const);
  const latest = releases.at(-1);
  return {
    _id: name,
    name,
    'dist-tags': { latest: latest?.version ?? '' },
    versions: Object.fromEntries(versions),
    time: { created: releases[0]?.at, modified: latest?.at, ...Object.fromEntries(times) },
    readme: '# A package\n\nIn two paragraphs.',
    ...more,
  };
}

/** Creates the JSON of a project as PyPI publishes it, for its latest release. */
export function project(name: string, release: Release & { yanked?: boolean }, urls: object | null = {}) {
  const { version, at, yanked = false } = release;
  return {
    info: {
      name,
      version,
      yanked,
      yanked_reason: null,
      home_page: null,
      project_urls: urls,
      summary: 'A project',
      description: 'In\ntwo lines',
    },
    last_serial: 1,
    urls: [{ filename: `${name}-${version}.tar.gz`, upload_time_iso_8601: at, yanked }],
    vulnerabilities: [],
  };
}

/** Creates the index of a project as PyPI publishes it in JSON, with one file for each release. */
export function projectIndex(name: string, releases: readonly Release[], more: object = {}) {
  return {
    meta: { 'api-version': '1.4' },
    name,
    versions: releases.map(({ version }) => version),
    files: releases.map(({ version, at, attested = false }) => ({
      filename: `${name}-${version}.tar.gz`,
      url: `https://files.pythonhosted.org/packages/${name}-${version}.tar.gz`,
      'upload-time': at,
      yanked: false,
      provenance: attested
        ? `https://pypi.org/integrity/${name}/${version}/${name}-${version}.tar.gz/provenance`
        : null,
    })),
    ...more,
  };
}

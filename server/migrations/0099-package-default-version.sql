-- Stores the version that a registry installs by default, if it is a pre-release, and when versions were released.
ALTER TABLE package_reading ADD COLUMN default_version text, ADD COLUMN version_times jsonb;

-- down
ALTER TABLE package_reading DROP COLUMN default_version, DROP COLUMN version_times;

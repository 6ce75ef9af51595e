/**
 * Commits a message with the statement that it stands in, for whose commit a standby confirms all that was read there. Visible is
 * also what a leader has committed that is cut off from its standbys, once the wait for them was cancelled; a failover loses that.
 */
export const CONFIRMING = "pg_logical_emit_message(true, 'trust-directory', '')";

/** Whether commits wait for a standby. */
export const WAITS_FOR_STANDBY = "current_setting('synchronous_standby_names') <> ''";

/** Of a FROM, one row: confirms where commits wait for a standby. A standby confirms nothing: what it has, others have. */
export const CONFIRMED = `(SELECT CASE WHEN ${WAITS_FOR_STANDBY} AND NOT pg_is_in_recovery()
    THEN ${CONFIRMING} END) confirmed`;

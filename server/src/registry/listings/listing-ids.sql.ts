/** Which of the drawn ids are taken. A delisted listing keeps its id, whether it comes back or not. */
export const TAKEN_IDS = `SELECT agent_id AS id FROM listing WHERE agent_id = ANY ($1::text[])
    UNION SELECT agent_id FROM delisting WHERE agent_id = ANY ($1::text[])`;

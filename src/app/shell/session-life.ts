/** How long a session lasts. */

/** A session that nobody uses ends after this time. */
export const IDLE_HOURS = 12
/** A session ends after this time in any case; the table refuses a longer one. */
export const SESSION_DAYS = 7

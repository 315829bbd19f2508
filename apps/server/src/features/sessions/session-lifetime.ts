/** A session nobody uses for this long has ended. */
export const SESSION_IDLE_SECONDS = 12 * 3600;

/** A session ends this long after its login, however much it is used. */
export const SESSION_MAX_SECONDS = 7 * 24 * 3600;

/** How exactly the last use is noted: not every call writes. */
export const SESSION_TOUCH_SECONDS = 60;

/** True while the session can be used. Times in Unix seconds. */
export function sessionLives(session: { last_seen_at: number; expires_at: number }, now: number): boolean {
  return now < session.expires_at && now < session.last_seen_at + SESSION_IDLE_SECONDS;
}

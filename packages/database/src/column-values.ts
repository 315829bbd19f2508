/** 0 or 1: both databases store flags as small integers. */
export type Flag = 0 | 1;

/** A time. 0: it has not come, or never does; columns with another meaning say so. */
export type UnixSeconds = number;

/** An integer amount of quota, 500,000 to the dollar by default. */
export type Quota = number;

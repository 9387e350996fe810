/** Frame ids: whole numbers up to PostgreSQL's largest bigint. They travel as text, which keeps every digit. */

export const FRAME_ID_MAX = '9223372036854775807'

/** A regular expression for an id as a call may write it. An index holds those that `isFrameId` accepts. */
export const FRAME_ID_DIGITS = '[0-9]+'

const plainNumber = /^(0|[1-9][0-9]{0,18})$/

/** Whether an index can hold a frame of this id: leading zeros and larger numbers are ids of no frame. */
export const isFrameId = (text: string): boolean =>
  plainNumber.test(text) && (text.length < FRAME_ID_MAX.length || text <= FRAME_ID_MAX)

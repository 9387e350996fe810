/** Frame ids: whole numbers up to PostgreSQL's largest bigint. They travel as text, which keeps every digit. */

export const FRAME_ID_MAX = '9223372036854775807'

const plainNumber = /^(0|[1-9][0-9]{0,18})$/

/** Whether an index can hold a frame of this id: leading zeros and larger numbers are ids of no frame. */
export const isFrameId = (text: string): boolean =>
  plainNumber.test(text) && (text.length < FRAME_ID_MAX.length || text <= FRAME_ID_MAX)

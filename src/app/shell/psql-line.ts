/** Writes lines of psql for an analyst of the database, who reads schema analyst. */
import type { Visit } from './visit.js'

/** The reader puts a host, or the folder of the embedded database, in the place of HOST. */
export type Login = { database: string; user: string }
const ON_SERVER: Login = { database: 'frames', user: 'frames_analyst' }
const EMBEDDED_LOGIN: Login = { database: 'postgres', user: 'postgres' }

export const analystLogin = ({ isEmbedded }: Pick<Visit, 'isEmbedded'>): Login =>
  isEmbedded ? EMBEDDED_LOGIN : ON_SERVER

export const hostNote = ({ isEmbedded }: Pick<Visit, 'isEmbedded'>): string =>
  isEmbedded
    ? 'In the place of HOST write the folder that the start message prints.'
    : 'In the place of HOST write the host of the database; the operator of the service gives you its password.'

export const psqlLine = ({ database, user }: Login, select: string): string =>
  `psql -h HOST -d ${database} -U ${user} -c ${psqlWord(select)}`

/** A statement holds single quotes, so it stands in double ones wherever the shell leaves its text alone there. */
const psqlWord = (text: string): string =>
  /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : text.includes("'") ? `"${text}"` : `'${text}'`

/** The server and the database of a connection. */
export type SocketTarget = { host: string; port: number; user: string; database: string }
export type Target = string | SocketTarget
/** A function returns the URL of the host that is the primary now: connections move there. */
export type MovingTarget = Target | (() => string)

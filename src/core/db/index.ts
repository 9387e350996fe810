/** The database, for the rest of the program. The statements of sql/ have a face of their own: statements.ts. */
export { builder, onlyRow, queryRunner, type RunQuery } from './builder.js'
export {
  connect,
  type Database,
  type DatabaseEvent,
  type DatabaseOptions,
  isLost,
  type MovingTarget,
  type Target,
  wasLate,
  withDeadline,
} from './connect.js'
export { isLostWrite } from './driver/lost-write.js'
export { clusterExists } from './embedded/cluster.js'
export { type Embedded, runningAddress, runningEmbedded, startEmbedded } from './embedded/embedded.js'
export { FullDisk } from './embedded/room.js'
export { type Hosts, hostsOf, urlOfEachHost } from './hosts.js'
export type { Migrated } from './migrate.js'
export { tooOld, whatIsMissing } from './missing.js'
export { listOf, type Page, pageOf } from './page.js'
export { CONSOLE_POOL, INSPECTION_POOL, PRIMARY_CONNECTIONS, PROBE_POOL } from './pool-sizes.js'
export { isOverLimit, LOCK_NOT_AVAILABLE, type ReadLimits, readOnly, TableLocked } from './read-only.js'
export {
  expectedObjects,
  functionFiles,
  migrationNames,
  OBJECTS,
  type PresentObject,
  type SchemaObject,
} from './release.js'
export { type ProbeTimes, startProbes } from './replicas/probe.js'
export type { Reader } from './replicas/reader.js'
export { connectReplicas, type Replicas, type ReplicaState } from './replicas/replicas.js'
export type {
  AttributeEntry,
  AttributeFigure,
  CatalogueRow,
  DatasetRow,
  FigureRow,
  FrameRow,
  IndexGeneration,
  NamedUnit,
  SummaryRow,
  TreeRow,
} from './rows.js'
export { projectFolder, type RowOf, sqlText, statement, type Statement } from './statement.js'
export { HungUp, sharedByPerson, TooManyWaiting } from './turns.js'

/** The runner of migrations is loaded where it is used: other commands start sooner without. */
export const migrate: typeof import('./migrate.js').migrate = async (...args) =>
  (await import('./migrate.js')).migrate(...args)

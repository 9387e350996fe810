/** Reads a page of the frames of a state, an LGA or a ward: each level has a statement of its own. */
import { type Page, pageOf } from '../../core/db/page.js'
import * as statements from '../../core/db/statements.js'
import type { Unit } from './params.js'

/** Frame ids start at 0: the first page follows this one. */
export const BEFORE_ALL = '-1'

export function pageInUnit(
  reader: Parameters<typeof statements.framesInState>[0],
  unit: Unit,
  after: string,
  limit: number,
): Promise<Page> {
  switch (unit.level) {
    case 'state':
      return pageOf(statements.framesInState, reader, unit.state, after, limit)
    case 'lga':
      return pageOf(statements.framesInLga, reader, unit.state, unit.lga, after, limit)
    case 'ward':
      return pageOf(statements.framesInWard, reader, unit.state, unit.lga, unit.ward, after, limit)
  }
}

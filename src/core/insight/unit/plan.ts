/** How a figure about a unit is computed, and what it needs. */
import { groupThousands } from '../../decimal.js'
import type { UnitFigure } from './figure.js'
import { FRAMES_READ_MAX, type Read, type UnitTarget } from './scope.js'

/** How a figure is computed, or one sentence that says why it is not. */
export type FigurePlan = { why: string } | { run: () => Promise<UnitFigure[]> }

export type PlanScope = {
  read: Read
}

/** A unit of more frames is not read frame by frame. */
export const isSmall = ({ frames }: UnitTarget): boolean => frames <= FRAMES_READ_MAX
export const tooLarge = ({ box }: UnitTarget): { why: string } => ({
  why: `Single frames are read in ${box ? 'boxes' : 'units'} of at most ${groupThousands(String(FRAMES_READ_MAX))} frames. Ask about a smaller ${box ? 'box' : 'unit'}.`,
})

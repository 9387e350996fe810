/** Computes the usual figures of one attribute of a baseline. */
import { figuresOfBaselines, recordsOfBaselines } from '../../db/statements.js'
import { isPlainDecimal } from '../../decimal.js'
import { attributeFacet, classFacet, type Facet } from '../figures/facets.js'
import { frameCountText } from '../figures/figure-text.js'
import { facetOf, type FigureCall } from './facet.js'

export async function attributeFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, frameIds, figure, subject } = call
  const { dataset } = subject
  if (!dataset) return undefined
  if (figure.frameId !== undefined) return valueOfFrame(call, figure.frameId)
  const rows = await reads.rows(figuresOfBaselines, frameIds, [figure.layerId])
  const row = rows.find(({ name }) => name === figure.attribute)
  if (!row) return figure.statistic === 'frames' ? nothingRecorded(call) : undefined
  const figures = { ...row, dataset }
  return figure.statistic === 'share'
    ? classFacet(figures, figure.class ?? '', frameIds.length)
    : attributeFacet(figures, figure.statistic, frameIds.length)
}

const nothingRecorded = (call: FigureCall) =>
  facetOf(call, {
    label: 'recorded on',
    value: frameCountText(0, call.frameIds.length),
    frames: 0,
    result: { is: 'recorded', count: 0, of: call.frameIds.length },
  })

/** Gives the value as the frame records it: a number keeps its zeros. */
async function valueOfFrame(call: FigureCall, frameId: string): Promise<Facet | undefined> {
  const { reads, frameIds, figure, subject } = call
  if (!frameIds.includes(frameId)) return undefined
  const rows = await reads.rows(recordsOfBaselines, frameIds, [figure.layerId])
  const row = rows.find(({ place }) => frameIds[place - 1] === frameId)
  const value = row && (JSON.parse(row.recorded) as Record<string, string>)[figure.attribute]?.trim()
  const isNumber = subject.type === 'number'
  if (value === undefined || value === '' || (isNumber && !isPlainDecimal(value))) return undefined
  return facetOf(call, {
    label: `frame ${frameId}`,
    value: isNumber ? subject.text(value) : value,
    frames: 1,
    result: isNumber ? { is: 'amount', number: value } : { is: 'text', value },
  })
}

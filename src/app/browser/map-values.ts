/**
 * Keeps the values that colour the maps: those of frames by squares of 1 degree, those of units by level. Each is asked
 * for once, so that a map which comes back to an attribute asks for nothing.
 */
import type { ValuesAsked } from '../map/classes.js'
import type { FrameRun, UnitValue } from '../tiles/values.js'
import { tilesAhead } from './map-ahead.js'
import { type MapNotes, NO_CONNECTION } from './map-note.js'
import { valuesAddress, type Square } from './map-view.js'

export type MapValues = {
  /** Undefined until they came: asks for them where nobody did. */
  square: (asked: ValuesAsked | undefined, square: Square) => readonly FrameRun[] | undefined
  units: (asked: ValuesAsked, level: string) => readonly UnitValue[] | undefined
  isWaiting: () => boolean
  /** Asks again for what was refused. */
  retry: () => void
}

type OnValues = {
  /** A request began. */
  onAsk: () => void
  /** An answer came, or a refused request may be sent again. */
  onCome: () => void
}

export function openValues(notes: MapNotes, { onAsk, onCome }: OnValues): MapValues {
  const kept = new Map<string, unknown>()
  const waiting = new Set<string>()
  const refused = new Set<string>()

  async function ask(address: string): Promise<void> {
    waiting.add(address)
    try {
      const answer = await (tilesAhead.take(address) ?? fetch(address))
      if (answer.ok) kept.set(address, await answer.json())
      else refuse(address, answer.status, Number(answer.headers.get('Retry-After') ?? 0))
    } catch {
      refuse(address, NO_CONNECTION, 0)
    }
    waiting.delete(address)
    onCome()
  }
  const refuse = (address: string, status: number, seconds: number) => {
    refused.add(address)
    notes.show({ status, ...(seconds > 0 && { seconds }) }, () => {
      refused.delete(address)
      onCome()
    })
  }
  const valuesOf = (path: string, asked: ValuesAsked | undefined) => {
    const address = valuesAddress(path, asked)
    const found = kept.get(address)
    if (found === undefined && !waiting.has(address) && !refused.has(address)) {
      void ask(address)
      onAsk()
    }
    return found
  }
  return {
    square: (asked, [lon, lat]) => valuesOf(`${lon}/${lat}`, asked) as readonly FrameRun[] | undefined,
    units: (asked, level) => valuesOf(level, asked) as readonly UnitValue[] | undefined,
    isWaiting: () => waiting.size > 0,
    retry: () => refused.clear(),
  }
}

/** Answers a question about a place by the code of the insight call, without a charge and without words. */
import type { Request, Response } from 'express'
import { billWithoutCharge, paidId } from '../../core/credits/index.js'
import { ApiError } from '../../core/errors.js'
import { answerQuestion, type InsightAnswer, type InsightRequest, questionBody } from '../../core/insight/index.js'
import { hangUpSignal } from '../../api/http/call.js'
import { insightCall } from '../../api/http/insight-call.js'
import { type Place, UNIT_LEVELS, type UnitPath } from '../../core/place.js'
import type { Services } from '../../services.js'
import type { Html } from '../shell/html.js'
import { pathOf } from '../map/words.js'
import { personAuthority } from '../shell/person-authority.js'
import { sessionOf } from '../shell/session.js'
import { type AnswerPage, answerView, type Meant } from './answer-view.js'
import { framesAsked, lackingNote } from './place.js'
import { newSpendingId, toAnswer } from './spending-form.js'
import { type Facet, INDEX } from '../../core/figures/index.js'
import type { DatasetRow, Reader } from '../../core/db/index.js'
import { datasetsToChoose } from '../shell/statements.js'
import { unitsNamed } from '../map/statements.js'

/**
 * A map lights the frames and units: those of the question, or those that an answer about many names. `note` says what the
 * index lacks of the place.
 */
export type PlaceAnswer =
  | { body?: Html; note: Html | false; frameIds: readonly string[]; units: readonly UnitPath[] }
  | { fault: string }

/** Undefined: the client hung up. */
export async function answerAboutPlace(
  services: Services,
  res: Response,
  page: AnswerPage,
  question: string | undefined,
): Promise<PlaceAnswer | undefined> {
  const { req } = res
  const session = sessionOf(req)
  const place = page.view.pick
  const hangUp = hangUpSignal(res)
  const call = await insightCall(services, req, personAuthority(session), { requestId: req.context.id, hangUp })
  const frames = await framesAsked(call.reader, place ?? { unit: [] }, page.filter?.where)
  const found = 'frames' in frames ? frames.frames : undefined
  const note = place !== undefined && found !== undefined && lackingNote(req.visit.place.app, place, found)
  if (found?.length === 0) return { note, frameIds: [], units: [] }
  const request = checkedRequest(frames, question)
  if ('fault' in request) return request
  const answer = await answerQuestion({ ...call, charge: billWithoutCharge }, { ...request, where: page.filter?.where })
  if (!answer) return undefined
  const spend = {
    requestId: newSpendingId(session, toAnswer(request)),
    canWord: services.wording !== undefined && !page.filter,
    isPaid: false,
  }
  const [meant, owners] = await Promise.all([
    unitsMeant(call.reader, request.question, answer),
    ownersOf(req, call.datasets),
  ])
  const body = answerView({ req, meant, asked: request, answer, datasets: call.datasets, owners, page, spend })
  const lit = litBy(answer)
  return { body, note, frameIds: answer.place ? lit.frames : answer.frameIds, units: lit.units }
}

export async function ownersOf(req: Request, datasets: readonly DatasetRow[]): Promise<ReadonlyMap<string, string>> {
  const known = await datasetsToChoose(req.visit.db, sessionOf(req).orgId)
  const names = new Map(known.map(({ layerId, owner }) => [layerId, owner]))
  return new Map(datasets.map((dataset) => [dataset.layerId, names.get(paidId(dataset)) ?? '']))
}

/** The rules are those of the call. */
export function checkedRequest(place: Place, question: string | undefined): InsightRequest | { fault: string } {
  try {
    return questionBody({ format: 'figures', ...(question !== undefined && { question }) }, place)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_body') return { fault: error.message }
    throw error
  }
}

/** A map lights at most this many of each. */
const LIT_MAX = 50

/** Frames and units that a value names, and the unit that a figure is of. */
function litBy({ shown: { named }, place }: InsightAnswer): { frames: string[]; units: UnitPath[] } {
  const above = place && 'unit' in place ? place.unit : undefined
  const units = named.flatMap((facet) => [...(facet.units ?? []), ...unitOfScope(facet, above)])
  const keys = units.map((unit) => unit.join('\n'))
  return {
    frames: [...new Set(named.flatMap(framesNamed))].slice(0, LIT_MAX),
    units: units.filter((_, i) => keys.indexOf(keys[i] ?? '') === i).slice(0, LIT_MAX),
  }
}

function framesNamed({ typed: { named, result } }: Facet): string[] {
  if (named.type === 'property') return []
  if (result.is === 'extreme') return result.at === null ? [] : [result.at]
  if (result.is === 'rank') return result.ranked.map(({ name }) => name)
  return result.is === 'passing' ? result.names : []
}

function unitOfScope({ source: { where = [] } }: Facet, above: UnitPath | undefined): UnitPath[] {
  const names = UNIT_LEVELS.flatMap((level) =>
    where.flatMap((each) =>
      each.layerId === INDEX.layerId && each.attribute === level && each.test === 'class' ? [each.value] : [],
    ),
  )
  return above && names.length > 0 ? [[...above, ...names]] : []
}

/** A shorter word is like too many names. */
const LENGTH_MIN = 4
const MEANT_WORDS_MAX = 3

/** Finds units whose names are like words of a question that were not understood: "Lakesde" is LAKESIDE. */
async function unitsMeant(
  reader: Reader,
  question: string | undefined,
  { notes }: Pick<InsightAnswer, 'notes'>,
): Promise<Meant[]> {
  if (question === undefined || !notes) return []
  const words = [...new Set([...notes.unknown, ...notes.unanswered, ...notes.absent])].filter(
    (word) => word.length >= LENGTH_MIN && question.includes(word),
  )
  const found = await Promise.all(
    words.slice(0, MEANT_WORDS_MAX).map(async (word): Promise<Meant[]> => {
      const [unit] = await unitsNamed(reader, word, 1)
      const name = unit && pathOf(unit).at(-1)
      if (name === undefined || name.toLowerCase() === word.toLowerCase()) return []
      return [{ name, question: question.replace(word, name) }]
    }),
  )
  return found.flat()
}

/** Writes the grammar's reading for the prompt of a plan, with the ids and the words of the language of plans. */
import type { AlgebraFigure, Filter, Subject } from '../../figures/index.js'
import { nameOf } from './fragments.js'
import type { PlanSubject } from './plan-tests.js'
import type { Ask, Condition } from './reading.js'
import { layerOf } from './topic.js'

type Subjects = readonly PlanSubject[]
type Measure = AlgebraFigure['of']
type AlgebraSubject = NonNullable<Measure['subject']>

export function readingText({ subject, operation, where, places = [] }: Ask, subjects: Subjects): string {
  const idOf = (own: Subject) => idIn(subjects, own)
  const id = idOf(subject)
  const { op } = operation
  const listed = [
    ...(op === 'figure' ? [algebraText(operation.figure, subjects)] : [figureText(id, operation, idOf)]),
    ...where.map((condition) => `where ${conditionText(condition, idOf)}`),
    ...places.map(({ text, isExcluded }) => `${isExcluded ? 'outside' : 'in'} ${text}`),
    ...(op === 'figure' && operation.measure !== undefined ? [`in ${operation.measure}`] : []),
  ]
  return listed.join(', ').replace(/[<>\p{C}\p{Zl}\p{Zp}]/gu, '')
}

/** Units, land and frames of the index have names of their own in the language of plans. */
function idIn(subjects: Subjects, own: Subject): string {
  if (own.kind === 'index') return own.figure === 'area' ? 'land' : own.figure
  const found = subjects.find(({ topic }) => JSON.stringify(topic.subject) === JSON.stringify(own))
  return found?.id ?? 'another dataset'
}

type IdOf = (own: Subject) => string

function figureText(id: string, operation: Exclude<Ask['operation'], { op: 'figure' }>, idOf: IdOf): string {
  switch (operation.op) {
    case 'frames':
      return 'count of frames, and their share'
    case 'class':
      return `count of "${operation.value}" of ${id}, and their share`
    case 'rank':
      return `${id} by each, ${orderText(operation)}`
    case 'portion':
      return `share of ${id}`
    case 'per_km2':
      return `${id} ratio to land`
    case 'per':
      return `${id} per ${operation.times ?? 'one'} of ${idOf(operation.other)}`
    case 'change':
      return `${id} change from ${idOf(operation.other)}`
    case 'interval':
      return `${id} uncertainty`
    case 'extent':
    case 'max':
    case 'mean':
    case 'median':
    case 'min':
    case 'mode':
    case 'names':
    case 'range':
    case 'sum':
    case 'usual':
      return `${id} ${operation.op}`
  }
}

const orderText = ({ order, n }: { order?: string; n?: number }) => `${order ?? ''}${n === undefined ? '' : ` ${n}`}`

function conditionText({ subject, test }: Condition, idOf: IdOf): string {
  const { test: is, ...more } = test
  const values = Object.entries(more).map(([key, value]) => (key === 'value' ? `"${value}"` : `${key} ${value}`))
  return [idOf(subject), ...(is === 'bounds' ? [] : [is.replace('class', 'is')]), ...values].join(' ')
}

function algebraText(figure: AlgebraFigure, subjects: Subjects): string {
  const { of, op, to, times, by, order, n, nth, having } = figure
  const group = by && ('level' in by ? by.level : 'class' in by ? nameIn(subjects, by.class, of.things) : 'each')
  return [
    measureText(of, subjects),
    ...(op && to ? [`${op} to (${measureText(to, subjects)})${times === undefined ? '' : ` per ${times}`}`] : []),
    ...(group === undefined ? [] : [`by ${group}`]),
    ...(having ? [`that pass ${boundsText(having)}`] : []),
    ...(order
      ? [nth === undefined ? orderText({ order, ...(n !== undefined && { n }) }) : `number ${nth} from the ${order}`]
      : []),
  ].join(', ')
}

function measureText({ things, subject, how, weight, where, among }: Measure, subjects: Subjects): string {
  const named = nameIn(subjects, subject?.extent ? {} : (subject ?? {}), things)
  const own = subject?.figure ? `(${algebraText(subject.figure, subjects)}) of each ${things ?? 'frame'}` : named
  const more = [subject?.extent ? 'extent' : '', weight ? `weighted by ${nameIn(subjects, weight)}` : ''].filter(
    Boolean,
  )
  const tests = [where, among].flatMap((filter) => (filter ? [filterText(filter, subjects, things)] : []))
  return [`${how ?? ''} ${own}`.trim(), ...more, ...(tests.length > 0 ? [`where ${tests.join(' and ')}`] : [])].join(
    ' ',
  )
}

/** A property of the things has no layer of its own. */
function nameIn(subjects: Subjects, { of, name }: Pick<AlgebraSubject, 'of' | 'name'>, things?: string): string {
  const layer = of ?? things
  if (name === 'geom') return 'land'
  const found = subjects.find(({ topic }) => layerOf(topic) === layer && nameOf(topic) === (name ?? ''))
  return found?.id ?? name ?? layer ?? 'frames'
}

function filterText(filter: Filter, subjects: Subjects, things?: string): string {
  const inner = (each: Filter) => filterText(each, subjects, things)
  if ('all' in filter) return filter.all.map(inner).join(' and ')
  if ('any' in filter) return `(${filter.any.map(inner).join(' or ')})`
  if ('not' in filter) return `not (${inner(filter.not)})`
  if ('on' in filter) return `on frames where ${filterText(filter.on, subjects)}`
  if ('in' in filter) return 'in the place'
  if ('near' in filter) {
    const those = filter.where ? ` where ${filterText(filter.where, subjects, filter.near)}` : ''
    return `within ${filter.metres} m of ${nameIn(subjects, { of: filter.near })}${those}`
  }
  if ('units' in filter && 'named' in filter) return `in ${filter.units} ${filter.named.join(' or ')}`
  if ('units' in filter)
    return `in ${filter.units} with (${algebraText(filter.figure, subjects)}) ${boundsText(filter)}`
  const those = filter.where ? ` where ${filterText(filter.where, subjects, filter.of)}` : ''
  const minus = 'minus' in filter ? ` less ${nameIn(subjects, filter.minus)}` : ''
  return `${nameIn(subjects, filter, things)}${those}${minus} ${boundsText(filter)}`
}

const COMPARED = { above: 'above', atLeast: 'at least', below: 'below', atMost: 'at most', equals: 'equals', is: 'is', has: 'named', recorded: 'recorded' } // prettier-ignore
const boundsText = (test: object): string =>
  Object.entries(COMPARED)
    .flatMap(([key, text]) => {
      const value = (test as Record<string, string | number | true | string[] | undefined>)[key]
      return value === undefined ? [] : [key === 'recorded' ? text : `${text} ${[value].flat().join(' or ')}`]
    })
    .join(' and ')

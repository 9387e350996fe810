/** Draws the panel of a unit or of the whole index: its size, its totals with their coverage, and its neighbours. */
import { states } from '../../core/db/statements.js'
import type { UnitFacts, UnitNames } from './rows.js'
import type { Unit } from '../../api/http/params.js'
import { factList } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { chosenOfTotals, chosenOfUnit } from './chosen-value.js'
import { mapLink, type MapData } from './data.js'
import { questionsOfUnit, welcomeOnMap } from './first-view.js'
import { waysToIndex, waysToUnit } from './other-ways.js'
import { pricedNote, type Panel } from './panel.js'
import { neighboursOfUnit, unitFacts } from './statements.js'
import { totalLines, totalsTable } from './totals.js'
import { count, levelName, unitArgs, unitLink, unitName, unitOfNames, unitsAbove, valueText } from './words.js'

export async function unitPanel(data: MapData, unit: Unit): Promise<Panel> {
  const args = unitArgs(unit)
  const [[facts], neighbours] = await Promise.all([
    unitFacts(data.reader, ...args),
    neighboursOfUnit(data.reader, ...args),
  ])
  if (!facts) return unknownUnitPanel(data, unit)
  const lines = await totalLines(data, unitOfNames(facts))
  return {
    title: unitName(facts),
    corners: facts,
    unit: { state: facts.state, lga: facts.lga, ward: facts.ward },
    ways: waysToUnit(unitOfNames(facts)),
    body: html`${data.view.question === undefined && questionsOfUnit(data, unit, facts.frames)}
    ${await chosenOfUnit(data, facts, lines)} ${factLines(data, facts)}`,
    more: html`
      <h2>Totals</h2>
      ${totalsTable(lines)} ${pricedNote(data)} ${neighbours.length > 0 && neighbourSection(data, facts, neighbours)}
    `,
  }
}

const lastName = (unit: Unit): string => unitArgs(unit).findLast((name) => name !== null) ?? ''

const unknownUnitPanel = (data: MapData, unit: Unit): Panel => ({
  title: `${levelName(unit)} ${lastName(unit)}`,
  isUnknown: true,
  ways: waysToUnit(unit),
  body: html`<p class="quiet">
    The index has no unit of this name:
    ${unitArgs(unit)
      .flatMap((name) => name ?? [])
      .toReversed()
      .join(', ')}.
    <a href="${mapLink(data, { search: lastName(unit) })}">Search for names that are alike</a>
  </p>`,
})

function factLines(data: MapData, facts: UnitFacts): Html {
  const above = unitsAbove(data, facts)
  return factList([
    ['Level', html`${levelName(unitOfNames(facts))} ${above.length > 0 && html`of ${separated(above.toReversed())}`}`],
    ['Code', facts.code],
    ['Zone', facts.zone],
    ['Size', `${valueText(facts.areaKm2, 'km²')}, ${count(facts.frames, 'frame', 'frames')}`],
  ])
}

const separated = (links: readonly Html[]): Html => html`${links.map((link, i) => html`${i > 0 && ', '}${link}`)}`

function neighbourSection(data: MapData, { state, lga }: UnitNames, neighbours: readonly UnitNames[]): Html {
  /** The unit above a neighbour stands beside its name where it is another one. */
  const named = (other: UnitNames) => {
    const above = other.ward !== null && other.lga !== lga ? other.lga : other.state === state ? null : other.state
    const isState = other.lga === null
    return html`<li>
      ${unitLink(data, other)}${!isState && above !== null && html` <span class="quiet">${above}</span>`}
    </li>`
  }
  return html`<h2>Neighbours</h2>
    <ul class="chips">
      ${neighbours.map(named)}
    </ul>`
}

export async function countryPanel(data: MapData): Promise<Panel> {
  const [known, lines] = await Promise.all([states(data.reader), totalLines(data, undefined)])
  const frames = known.reduce((sum, { frames: each }) => sum + each, 0)
  return {
    title: 'The whole index',
    ways: waysToIndex,
    body: html`${data.view.question === undefined && welcomeOnMap(data)} ${chosenOfTotals(data, lines)}
    ${factList([['Size', `${count(frames, 'frame', 'frames')}, ${count(known.length, 'state', 'states')}`]])}`,
    more: html`<h2>Totals</h2>
      ${totalsTable(lines)} ${pricedNote(data)} `,
  }
}

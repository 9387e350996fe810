/** Draws the panel of a unit or of the whole index: its size, its totals with their coverage, and its neighbours. */
import { states } from '../../core/db/statements.js'
import type { UnitFacts } from './rows.js'
import { cornersOf, setOf, unitText, type UnitPath } from '../../core/place.js'
import { factList } from '../shell/components.js'
import { placeName } from '../../core/place-name.js'
import { html, type Html } from '../shell/html.js'
import { chosenOfTotals, chosenOfUnit } from './chosen-value.js'
import { mapLink, type MapData } from './data.js'
import { questionsOfUnit, welcomeOnMap } from './first-view.js'
import { waysToPlace } from './other-ways.js'
import { pricedNote, type Panel } from './panel.js'
import { neighboursOfUnit, unitFacts } from './statements.js'
import { placeProfile, totalsTable } from './totals.js'
import { count, levelTitle, pathOf, unitArgs, unitLink, unitsAbove, valueText } from './words.js'

export async function unitPanel(data: MapData, unit: UnitPath): Promise<Panel> {
  const args = unitArgs(unit)
  const [[facts], neighbours] = await Promise.all([
    unitFacts(data.reader, ...args),
    neighboursOfUnit(data.reader, ...args),
  ])
  if (!facts) return unknownUnitPanel(data, unit)
  const known = pathOf(facts)
  const profile = await placeProfile(data, setOf({ unit: known }))
  return {
    title: placeName(known.at(-1) ?? ''),
    corners: cornersOf(facts),
    unit: { state: facts.state, lga: facts.lga, ward: facts.ward },
    ways: waysToPlace({ unit: known }),
    value: await chosenOfUnit(data, facts, profile),
    body: html`${factLines(data, facts)}
    ${data.view.question === undefined && questionsOfUnit(data, unit, facts.frames)}`,
    more: html`
      <h2>Totals</h2>
      ${totalsTable(profile, known)} ${pricedNote(data)}
      ${neighbours.length > 0 && neighbourSection(data, known, neighbours.map(pathOf))}
    `,
  }
}

const unknownUnitPanel = (data: MapData, unit: UnitPath): Panel => ({
  title: `${levelTitle(unit)} ${placeName(unit.at(-1) ?? '')}`,
  isUnknown: true,
  ways: waysToPlace({ unit }),
  body: html`<p class="quiet">
    The index has no unit of this name: ${unitText(unit)}.
    <a href="${mapLink(data, { search: unit.at(-1) })}">Search for names that are alike</a>
  </p>`,
})

function factLines(data: MapData, facts: UnitFacts): Html {
  const unit = pathOf(facts)
  const above = unitsAbove(data, unit)
  return factList([
    ['Level', html`${levelTitle(unit)} ${above.length > 0 && html`of ${separated(above.toReversed())}`}`],
    ['Code', facts.code],
    ['Zone', facts.zone && placeName(facts.zone)],
    ['Size', `${valueText(facts.areaKm2, 'km²')}, ${count(facts.frames, 'frame', 'frames')}`],
  ])
}

const separated = (links: readonly Html[]): Html => html`${links.map((link, i) => html`${i > 0 && ', '}${link}`)}`

function neighbourSection(data: MapData, unit: UnitPath, neighbours: readonly UnitPath[]): Html {
  /** The unit above a neighbour stands beside its name where it is another one. */
  const named = (other: UnitPath) => {
    const i = other.slice(0, -1).findLastIndex((name, level) => name !== unit[level])
    return html`<li>
      ${unitLink(data, other)}${i >= 0 && html` <span class="quiet">${placeName(other[i] ?? '')}</span>`}
    </li>`
  }
  return html`<h2>Neighbours</h2>
    <ul class="row close">
      ${neighbours.map(named)}
    </ul>`
}

export async function countryPanel(data: MapData): Promise<Panel> {
  const [known, profile] = await Promise.all([states(data.reader), placeProfile(data, setOf({ unit: [] }))])
  return {
    title: 'The whole index',
    ways: waysToPlace({ unit: [] }),
    value: chosenOfTotals(data, profile),
    body: html`${factList([['Size', `${count(profile?.frames ?? 0, 'frame', 'frames')}, ${count(known.length, 'state', 'states')}`]])}
    ${data.view.question === undefined && welcomeOnMap(data)}`,
    more: html`<h2>Totals</h2>
      ${totalsTable(profile)} ${pricedNote(data)} `,
  }
}

/** GET /app/place: a unit, or the whole index, on two sheets of A4: a map, its figures, rankings, sources and statements. */
import type { RequestHandler } from 'express'
import { profileByUnit } from '../../core/db/statements.js'
import type { Profile, UnitFigure } from '../../core/figures/index.js'
import { levelNoun, levelPlural, placeText, setOf, UNIT_LEVELS, type UnitPath } from '../../core/place.js'
import { placeName } from '../../core/place-name.js'
import type { Services } from '../../services.js'
import { countText } from '../shell/amounts.js'
import { dayOf, factList } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { sendPage } from '../shell/send-page.js'
import { noSuchPage } from '../shell/refusals.js'
import { showSql } from '../shell/show-sql.js'
import { chosenOfTotals, chosenOfUnit } from '../map/chosen-value.js'
import { type Colour, type MapData, readMapData } from '../map/data.js'
import { legendOfLevel } from '../map/legend.js'
import { waysToPlace, waysToUnitsBelow } from '../map/other-ways.js'
import { pricedNote } from '../map/panel.js'
import { recordStatements } from '../map/recorded-statements.js'
import type { UnitFacts } from '../map/rows.js'
import { unitNamed } from '../map/results-panel.js'
import { outlinesOfUnits, unitFacts } from '../map/statements.js'
import { placeProfile, totalsTable } from '../map/totals.js'
import { boundsText } from '../map/twin.js'
import { NUMBERED_MOST, unitPicture } from '../map/unit-picture.js'
import { queryOf } from '../map/view.js'
import { argsBelow, levelTitle, pathOf, provenance, unitArgs, valueText } from '../map/words.js'

export function placeRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const read = await readMapData(services, req)
    const { reader, statements } = recordStatements(read.reader)
    const data = { ...read, reader }
    const { pick = { unit: [] } } = data.view
    if (!('unit' in pick)) throw noSuchPage()
    const [facts] = pick.unit.length === 0 ? [] : await unitFacts(reader, ...unitArgs(pick.unit))
    if (pick.unit.length > 0 && !facts) {
      const unit = await unitNamed(read, pick.unit)
      if (!unit) throw noSuchPage()
      return res.redirect(303, `${req.visit.place.app}/place${queryOf({ ...data.view, pick: { unit } })}`)
    }
    const unit = facts ? pathOf(facts) : []
    const [profile, drawn] = await Promise.all([placeProfile(data, setOf({ unit })), drawnUnits(data, unit)])
    const title = unit.length === 0 ? 'The whole index' : unit.slice(-2).toReversed().map(placeName).join(', ')
    const place = { unit }
    sendPage(res, {
      title,
      section: '/map',
      styles: ['map.css'],
      scripts: ['print.js'],
      actions: html`<button type="button" id="print" hidden>Print</button>
        <a class="button" href="${data.path}${queryOf({ ...data.view, pick: place })}">Map</a>`,
      body: html`<div class="sheet-of-place stack">
        <div class="beside">
          ${drawn && pictureSection(drawn)}
          <div>
            ${facts ? await chosenOfUnit(data, facts, profile, true) : chosenOfTotals(data, profile)}
            ${sizeLines(unit, facts, profile)} ${drawn && rankingSection(drawn)}
          </div>
        </div>
        <section class="totals-of-place" aria-labelledby="figures">
          <h2 id="figures">Figures</h2>
          ${totalsTable(profile, unit)} ${pricedNote(data)}
        </section>
        ${sourcesSection(data, profile)} ${linesSection(place, drawn)}
        ${showSql(req, { of: 'panel', subject: title, statements, ...waysToPlace(place) })}
      </div>`,
    })
  }
}

/** The units below a unit, or the wards beside a ward, in the colours of the map. */
type DrawnUnits = {
  above: UnitPath
  picked: UnitPath
  colour: Colour
  units: readonly UnitFigure[]
  geometries: readonly string[]
  legend: Awaited<ReturnType<typeof legendOfLevel>>
}

async function drawnUnits(data: MapData, unit: UnitPath): Promise<DrawnUnits | undefined> {
  const { colour, reader } = data
  if (!colour) return undefined
  const above = unit.slice(0, UNIT_LEVELS.length - 1)
  const args = argsBelow(above)
  const [all, legend] = await Promise.all([
    profileByUnit(reader, ...args, colour.dataset.layerId, colour.attribute.name),
    legendOfLevel(data, colour, args[1]),
  ])
  const units = all.filter(({ km2 }) => km2 !== null)
  const outlines = await outlinesOfUnits(
    reader,
    units.map(({ state }) => state),
    units.map(({ lga }) => lga),
    units.map(({ ward }) => ward),
  )
  return { above, picked: unit, colour, units, geometries: outlines.map(({ geometry }) => geometry), legend }
}

const levelBelow = ({ above }: Pick<DrawnUnits, 'above'>) => UNIT_LEVELS[above.length] ?? 'ward'

function pictureSection(drawn: DrawnUnits): Html {
  const { above, picked, units, geometries, legend } = drawn
  const level = levelBelow(drawn)
  const title = `${legend.title} by ${levelNoun(level)}, ${placeText({ unit: above })}`
  return html`<figure class="picture">
    ${unitPicture(units, geometries, { title, level, paint: legend.paint, picked })}
    <figcaption>
      <strong>${legend.title}</strong>
      <span class="quiet">
        ${[legend.measure, provenance(drawn.colour.attribute.method, drawn.colour.dataset.vintage, legend.title)].filter(Boolean).join(' · ')}
      </span>
      ${legend.list}
    </figcaption>
  </figure>`
}

function rankingSection(drawn: DrawnUnits): Html | false {
  const { units, colour } = drawn
  const shown = units.filter(({ number }) => number !== null).slice(0, NUMBERED_MOST)
  if (shown.length < 2) return false
  const { label, unit, interval } = colour.attribute
  const hasIntervals = interval === 'draws'
  const noun = levelPlural(levelBelow(drawn))
  const count =
    shown.length < units.length ? `The first ${shown.length} of ${countText(units.length, noun, noun)}` : noun
  return html`<table class="dense">
    <caption>
      ${count} by ${label}
    </caption>
    <thead>
      <tr>
        <th scope="col">Unit</th>
        <th scope="col" class="number">${label}${unit !== null && `, ${unit}`}</th>
        ${hasIntervals && html`<th scope="col" class="number">95 % interval</th>`}
      </tr>
    </thead>
    <tbody>
      ${shown.map(
        (each, i) =>
          html`<tr>
            <td>${i + 1}. ${placeName(pathOf(each).at(-1) ?? '')}</td>
            <td class="number">${valueText(each.number ?? '', null)}</td>
            ${hasIntervals && html`<td class="number quiet small">${boundsText(each)}</td>`}
          </tr>`,
      )}
    </tbody>
  </table>`
}

function sizeLines(unit: UnitPath, facts: UnitFacts | undefined, profile: Profile | undefined): Html {
  const above = unit.slice(0, -1).toReversed().map(placeName).join(', ')
  return factList([
    ['Level', facts && `${levelTitle(unit)}${above === '' ? '' : ` of ${above}`}`],
    ['Code', facts?.code],
    ['Zone', facts?.zone && placeName(facts.zone)],
    ['Size', `${valueText(profile?.km2 ?? '0', 'km²')}, ${countText(profile?.frames ?? 0, 'frame')}`],
  ])
}

/** What the figures rest on. */
function sourcesSection({ free }: MapData, profile: Profile | undefined): Html | false {
  const datasets = [...new Set(profile?.figures.map(({ dataset }) => dataset))]
  if (datasets.length === 0) return false
  return html`<section aria-labelledby="sources">
    <h2 id="sources">Sources</h2>
    <ul class="bare row">
      ${datasets.map(
        ({ layerId, name, vintage }) =>
          html`<li>
            ${[free.find((each) => each.layerId === layerId)?.owner, name, vintage].filter(Boolean).join(', ')}
            <code class="id">${layerId}</code>
          </li>`,
      )}
    </ul>
    <p class="quiet">Read on ${dayOf(new Date())}.</p>
  </section>`
}

/** The statements that give the same figures: a sheet of paper has no links. */
function linesSection(place: { unit: UnitPath }, drawn: DrawnUnits | undefined): Html {
  const selects = [
    waysToPlace(place).analyst?.select,
    drawn && waysToUnitsBelow(drawn.above, drawn.colour.dataset.layerId, drawn.colour.attribute.name).analyst?.select,
  ]
  return html`<section aria-labelledby="lines">
    <h2 id="lines">Statements</h2>
    ${selects.map((select, i) => select !== undefined && html`<pre tabindex="0" role="region" aria-label="Statement ${i + 1}">${select};</pre>`)}
  </section>`
}
